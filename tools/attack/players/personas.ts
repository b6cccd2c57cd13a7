import { checkOut, makeBuyer, redeem, requirePlan } from './buying.ts';
import { finishRun, leave, offered, type Person } from './finish-run.ts';
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
    play: ({ player, world, random }) =>
      finishRun({ player, world }, (step, at) =>
        player.takeStep({ step, advertiser: random.pick(offered('main', at)) }),
      ),
  },
  {
    name: 'loses all cookies on the way',
    play: ({ player, world }) =>
      finishRun({ player, world }, (step) => {
        player.cookies.clear();
        return player.takeStep({ step });
      }),
  },
  {
    name: 'comes from a new address at every step',
    play: ({ player, world, newAddress }) =>
      finishRun({ player, world }, (step) => {
        player.address = newAddress();
        return player.takeStep({ step });
      }),
  },
  {
    name: 'reloads the return',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step) => {
        const link = await leave(player, { step });
        await player.dwell();
        const back = await world.advertisers.finish(link);
        await player.comeBack(back);
        return player.arrive(back);
      }),
  },
  {
    name: 'presses twice, and leaves one visit for another',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        // The hour allows ten visits.
        if (at === 2) await player.clickComplete({ step, advertiser: 'lootlabs' });
        if (at % 3 !== 1) return player.takeStep({ step });
        const [link] = await Promise.all([leave(player, { step }), player.clickComplete({ step })]);
        await player.dwell();
        return player.arrive(await world.advertisers.finish(link));
      }),
  },
  {
    name: 'finishes a step in two tabs',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        if (at % 3 !== 1) return player.takeStep({ step });
        const links = [await leave(player, { step }), await leave(player, { step })];
        await player.dwell();
        const backs = [];
        for (const link of links) backs.push(await world.advertisers.finish(link));
        // One of the two tabs may still see the step that the other tab has just finished.
        const pages = await Promise.all(backs.map((back) => player.arrive(back)));
        return pages.find(({ name, step: shown }) => name === 'getkey' || shown > at) ?? { name: 'none' };
      }),
  },
  {
    name: 'is back before the advertiser calls',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        if (at % 3 !== 1) return player.takeStep({ step });
        const link = await leave(player, { step, advertiser: 'lootlabs' });
        await player.dwell();
        const page = await player.arrive(await world.advertisers.finish(link, { calls: 0 }));
        await world.advertisers.callLate(link);
        return page;
      }),
  },
  {
    name: 'closes the tab once the advertiser is through',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        if (at % 3 !== 1) return player.takeStep({ step });
        const link = await leave(player, { step, advertiser: 'lootlabs' });
        await player.dwell();
        await world.advertisers.finish(link, { calls: 2 });
        return { isWaiting: true };
      }),
  },
  {
    name: 'comes back a little early and waits as told',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        if (at % 3 !== 1) return player.takeStep({ step });
        const link = await leave(player, { step });
        const back = await world.advertisers.finish(link);
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
