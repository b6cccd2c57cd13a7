import { checkOut, makeBuyer, redeem, requirePlan } from './buying.ts';
import type { Visit } from '../fakes/advertisers.ts';
import { finishRun, leave, offered, type NextPage, type Person } from './finish-run.ts';
import { createPlayer } from './player.ts';
import type { App } from '../world/product.ts';

/** An honest player with a special behaviour. */
export interface Persona {
  /** What this player does. It completes a sentence that begins with "a visitor who". */
  name: string;
  app?: App;
  /** Plays a whole run, or gets a plan. */
  play: (person: Person) => Promise<unknown>;
}

/** Plays steps 1 and 4 in a special way, and all others as usual: an hour allows ten visits. */
const atSomeSteps =
  (play: (person: Person, step: number | undefined, at: number) => Promise<NextPage>) => (person: Person) =>
    finishRun(person, (step, at) => (at % 3 === 1 ? play(person, step, at) : person.player.takeStep({ step })));

export const PERSONAS: Persona[] = [
  { name: 'takes what is offered first', play: (person) => finishRun(person) },
  { name: 'runs the companion app', app: 'companion', play: (person) => finishRun(person) },
  {
    name: 'is given a new zone by the app on the way',
    play: ({ player, world, random }) => {
      const { address, hwid, zone } = player;
      const moved = createPlayer(world, { random, address, hwid, zone: `${zone}-new` });
      return finishRun({ player, world, askedBy: moved }, async (step, at) => {
        if (at <= 2) return player.takeStep({ step });
        for (const [name, value] of player.cookies) moved.cookies.set(name, value);
        return moved.takeStep({ step });
      });
    },
  },
  {
    name: 'picks another advertiser each time',
    play: (person) =>
      finishRun(person, (step, at) =>
        person.player.takeStep({ step, advertiser: person.random.pick(offered('main', at)) }),
      ),
  },
  {
    name: 'loses all cookies on the way',
    play: (person) =>
      finishRun(person, (step) => {
        person.player.cookies.clear();
        return person.player.takeStep({ step });
      }),
  },
  {
    name: 'comes from a new address at every step',
    play: (person) =>
      finishRun(person, (step) => {
        person.player.address = person.newAddress();
        return person.player.takeStep({ step });
      }),
  },
  {
    name: 'reloads the return',
    play: (person) =>
      finishRun(person, async (step) => {
        const back = await finishVisit(person, await leave(person.player, { step }));
        await person.player.comeBack(back);
        return person.player.arrive(back);
      }),
  },
  {
    name: 'presses twice',
    play: atSomeSteps(async (person, step) => {
      const [link] = await Promise.all([leave(person.player, { step }), person.player.clickComplete({ step })]);
      return person.player.arrive(await finishVisit(person, link));
    }),
  },
  {
    name: 'leaves one visit for another',
    play: atSomeSteps(async ({ player }, step) => {
      await player.clickComplete({ step, advertiser: 'lootlabs' });
      return player.takeStep({ step });
    }),
  },
  {
    name: 'finishes a step in two tabs',
    play: atSomeSteps(async (person, step, at) => {
      const { player } = person;
      const links = [await leave(player, { step }), await leave(player, { step })];
      const backs = [];
      for (const link of links) backs.push(await finishVisit(person, link));
      // One of the two tabs may still see the step that the other tab has just finished.
      const pages = await Promise.all(backs.map((back) => player.arrive(back)));
      return pages.find(({ name, step: shown }) => name === 'getkey' || shown > at) ?? { name: 'none' };
    }),
  },
  {
    name: 'is back before the advertiser calls',
    play: atSomeSteps(async (person, step) => {
      const link = await leave(person.player, { step, advertiser: 'lootlabs' });
      const page = await person.player.arrive(await finishVisit(person, link, { calls: 0 }));
      await person.world.advertisers.finish(link);
      return page;
    }),
  },
  {
    name: 'closes the tab once the advertiser is through',
    play: atSomeSteps(async (person, step) => {
      await finishVisit(person, await leave(person.player, { step, advertiser: 'lootlabs' }), { calls: 2 });
      return { isWaiting: true };
    }),
  },
  {
    name: 'comes back a little early and waits as told',
    play: atSomeSteps(async ({ player, world }, step) => {
      const back = await world.advertisers.finish(await leave(player, { step }));
      await player.comeBack(back);
      await player.dwell();
      return player.arrive(back);
    }),
  },
  {
    name: 'clicks a plan twice, and buys it',
    async play(person) {
      const { world, random } = person;
      const at = world.now();
      const plan = random.pick(['basic', 'plus', 'premium'] as const);
      const [session, other] = await Promise.all([checkOut(person, plan, at), checkOut(person, plan, at)]);
      if (session !== other) throw new Error('One click has led to two payments');
      const { status, text } = await world.stripe.deliver(world.stripe.pay(session, makeBuyer(random)));
      if (status !== 200) throw new Error(`An event of the provider was answered ${status} ${text}`);
      await requirePlan(person, plan);
    },
  },
  {
    name: 'redeems a code, and sends the form again',
    async play(person) {
      const code = person.world.takeCode();
      const { email } = makeBuyer(person.random);
      for (let times = 0; times < 2; times++) {
        const { status, text } = await redeem(person, code, email);
        if (status !== 200) throw new Error(`A right code was answered ${status} ${text}`);
      }
      await requirePlan(person, 'plus');
    },
  },
];

/** Stays at an advertiser, and finishes the visit there. Returns the address to come back to. */
async function finishVisit({ player, world }: Person, link: string, how?: Visit): Promise<string> {
  await player.dwell();
  return world.advertisers.finish(link, how);
}
