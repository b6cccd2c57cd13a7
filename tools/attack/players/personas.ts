import { STEPS, type App } from '../world/product.ts';
import { HASH_LIFETIME_MS } from '../fakes/advertisers.ts';
import { finishRun, leave, offered, type Person } from './finish-run.ts';
import { createPlayer } from './player.ts';

/** An honest player with a special behaviour. */
export interface Persona {
  /** What this player does. It completes a sentence that begins with "a visitor who". */
  name: string;
  app?: App;
  os?: string;
  zone?: string;
  /** Plays a whole run. */
  play: (person: Person) => Promise<unknown>;
}

export const PLAIN: Persona = { name: 'takes what is offered first', play: (person) => finishRun(person) };

export const ON_COMPANION: Persona = {
  name: 'runs the companion app',
  app: 'companion',
  play: (person) => finishRun(person),
};

const SLOW: Persona = {
  name: 'takes their time',
  play: ({ player, world }) =>
    finishRun({ player, world }, async (step) => {
      const link = await leave(player, { step });
      for (let times = 0; times < 3; times++) await player.dwell();
      return player.arrive(await world.advertisers.finish(link));
    }),
};

export const PERSONAS: Persona[] = [
  PLAIN,
  {
    name: 'is given a new zone by the app on the way',
    play: ({ player, world, random }) => {
      const moved = createPlayer(world, {
        random,
        address: player.address,
        hwid: player.hwid,
        zone: `${player.zone}-new`,
      });
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
    name: 'begins with Rinku, then Work.ink',
    play: ({ player, world }) =>
      finishRun({ player, world }, (step, at) => player.takeStep({ step, advertiser: offered('main', at)[1] })),
  },
  SLOW,
  {
    name: 'takes LootLabs wherever it can',
    play: ({ player, world }) =>
      finishRun({ player, world }, (step) => player.takeStep({ step, advertiser: 'lootlabs' })),
  },
  ON_COMPANION,
  { name: 'has no zone', zone: '', play: (person) => finishRun(person) },
  { name: 'has another system', os: 'ios', play: (person) => finishRun(person) },
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
    name: 'goes back and presses the last button again',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        const page = await player.takeStep({ step });
        if (at < STEPS.main && at > 1) {
          const { page: led } = await player.clickComplete({ step: at });
          if (led?.step !== at + 1) throw new Error(`The button of a step that is done led to ${JSON.stringify(led)}`);
        }
        return page;
      }),
  },
  {
    name: 'presses twice',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
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
    name: 'leaves one visit and makes another',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        if (at % 2 === 0) await player.clickComplete({ step, advertiser: 'lootlabs' });
        return player.takeStep({ step });
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
    name: 'is too slow once for a hash that lives for seconds',
    play: ({ player, world }) =>
      finishRun({ player, world }, async (step, at) => {
        if (at === 2) {
          const page = await player.takeStep({ step, how: { at: world.now() - HASH_LIFETIME_MS } });
          if (page.name !== 'bypass') throw new Error(`A hash that was too old led to ${JSON.stringify(page)}`);
        }
        return player.takeStep({ step });
      }),
  },
  {
    name: 'asks for a second key at once',
    async play({ player, world }) {
      const key = await finishRun({ player, world });
      await player.passCaptcha();
      const { page } = await player.clickComplete();
      if (page?.name !== 'getkey') throw new Error(`With a key that works, the button led to ${JSON.stringify(page)}`);
      if ((await player.key())?.key !== key) throw new Error('The key is another one');
    },
  },
];
