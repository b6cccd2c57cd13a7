import { MAX_HASH_TTL_MS } from '../fakes/advertisers.ts';
import type { Attack, Scenario } from './scenario.ts';

/** Turns a good return address into a bad one. */
type Tamper = (returnUrl: string, visit: Attack & { link: string; startedAt: number }) => string | Promise<string>;

/** The step at which each of them is offered. */
const STEP_OF = { linkvertise: 1, lootlabs: 1, workink: 2 };

/** Attempts to return without finishing the visit, or with the proof or the ticket of another visit. */
export const RETURNS: Scenario[] = [
  refused('returns from Linkvertise with an invented proof', 'linkvertise', (returnUrl, { random }) =>
    withQuery(returnUrl, `hash=${random.hex(64)}`),
  ),
  refused('returns from Work.ink with a proof that is too old', 'workink', (_returnUrl, { world, link }) =>
    world.advertisers.finish(link, { at: world.now() - MAX_HASH_TTL_MS }),
  ),
  refused('hoards Work.ink tokens', 'workink', (_returnUrl, { world, link, startedAt }) =>
    world.advertisers.finish(link, { at: startedAt - 1000 }),
  ),
  refused("brings tokens of another owner's Work.ink link", 'workink', (_returnUrl, { world, link }) =>
    world.advertisers.finish(link, { linkId: 666 }),
  ),
  refused('returns from LootLabs without its call', 'lootlabs', (returnUrl, { random }) =>
    random.pick([returnUrl, `${returnUrl}?unique_id=1&click_id=2`, `${returnUrl}?confirmed=true`]),
  ),
  refused(
    'returns with a proof that another device has used',
    'linkvertise',
    async (returnUrl, { world, player, openRun }) => {
      const seller = player();
      const { link } = await openRun(seller);
      await seller.dwell();
      // With isKept, the advertiser confirms the same proof twice.
      const sold = await world.advertisers.finish(link, { isKept: true });
      await seller.comeBack(sold);
      return withQuery(returnUrl, sold.split('?')[1]);
    },
    1,
  ),
  {
    name: 'uses its own proof for the next step as well',
    async play({ world, player, openRun, leave, tries, expect }) {
      const cheat = player();
      const { link } = await openRun(cheat);
      await cheat.dwell();
      const first = await world.advertisers.finish(link, { isKept: true });
      await cheat.comeBack(first);
      const { returnUrl } = await leave(cheat, { step: 2 });
      await cheat.dwell();
      await tries(() => cheat.comeBack(withQuery(returnUrl, first.split('?')[1])));
      expect((await cheat.state())?.run === null, 'a proof used twice did not end the run');
    },
  },
  {
    name: 'returns at once, with a real proof',
    async play({ world, player, openRun, tries }) {
      for (let devices = 0; devices < 3; devices++) {
        const cheat = player();
        const { link } = await openRun(cheat);
        const back = await world.advertisers.finish(link, { isKept: true });
        // The oracle checks in the tables that nothing was credited too early.
        for (let early = 0; early < 3; early++) await tries(() => cheat.comeBack(back));
      }
    },
  },
  {
    name: 'returns from Rinku at once',
    async play({ world, player, leave, tries, expectStep }) {
      const cheat = player();
      await cheat.passCaptcha();
      const startedAt = world.now();
      const { link } = await leave(cheat, { advertiser: 'rinku' });
      const back = await world.advertisers.finish(link);
      await tries(() => cheat.comeBack(back));
      const wasEarly = world.now() - startedAt < world.dwellMs;
      await cheat.dwell();
      for (let late = 0; late < 3; late++) await tries(() => cheat.comeBack(back));
      if (wasEarly) await expectStep(cheat, 1, 'an early return counted after all');
    },
  },
  {
    name: 'uses tickets that newer ones have overtaken',
    async play({ world, player, openRun, leave, tries, expectStep }) {
      const cheat = player();
      await openRun(cheat);
      // A browser may have three visits at once. The first step start had no cookie yet, so it does not count for this
      // browser.
      const { link } = await leave(cheat, { step: 1 });
      for (let newer = 0; newer < 3; newer++) await cheat.clickComplete({ step: 1 });
      await cheat.dwell();
      const back = await world.advertisers.finish(link);
      for (let again = 0; again < 3; again++) await tries(() => cheat.comeBack(back));
      await expectStep(cheat, 1, 'an overtaken ticket was taken');
    },
  },
  {
    name: "opens another device's return",
    async play({ world, player, openRun, tries, expectStep }) {
      const [owner, cheat] = [player(), player()];
      const { link } = await openRun(owner);
      await openRun(cheat);
      await owner.dwell();
      const back = await world.advertisers.finish(link);
      await tries(() => cheat.comeBack(`${back}&hwid=${cheat.hwid}&zone=${cheat.zone}&step=6`));
      await expectStep(cheat, 1, "another device's ticket moved this one's run");
      await expectStep(owner, 2, 'a ticket did not count for the device that it was given to');
    },
  },
  {
    name: 'has LootLabs call too early',
    async play({ world, player, openRun, tries }) {
      for (let devices = 0; devices < 3; devices++) {
        const cheat = player();
        const { link, returnUrl } = await openRun(cheat, { advertiser: 'lootlabs' });
        // The oracle checks in the tables that nothing was credited too early.
        await tries(() => world.advertisers.finish(link, { calls: 3 }), 3);
        await tries(() => cheat.comeBack(returnUrl));
      }
    },
  },
  {
    name: 'returns from LootLabs in many tabs at once without its call',
    async play({ player, openRun, tries, expectStep }) {
      const cheat = player();
      const { returnUrl } = await openRun(cheat, { advertiser: 'lootlabs' });
      await cheat.dwell();
      // Some tabs begin a new visit, which replaces an older one. The others return and wait for the postback.
      const plays = Array.from({ length: 20 }, (_, at) =>
        at % 5 === 4 ? () => cheat.clickComplete({ step: 1, advertiser: 'lootlabs' }) : () => cheat.comeBack(returnUrl),
      );
      await tries(() => Promise.all(plays.map((play) => play())), plays.length);
      await expectStep(cheat, 1, 'a return without a call was credited');
    },
  },
  {
    name: 'has one LootLabs task counted for two visits',
    async play({ world, player, random, openRun, tries, expectStep }) {
      const [first, second] = [player(), player()];
      const uniqueId = random.hex(24);
      const firstVisit = await openRun(first, { advertiser: 'lootlabs' });
      const secondVisit = await openRun(second, { advertiser: 'lootlabs' });
      await second.dwell();
      await first.comeBack(await world.advertisers.finish(firstVisit.link, { uniqueId }));
      const { clickId } = world.advertisers.resolve(secondVisit.link);
      await tries(() => world.advertisers.call(clickId, uniqueId));
      await tries(() => second.comeBack(secondVisit.returnUrl));
      await expectStep(second, 1, 'one task counted twice', { orNone: true });
    },
  },
];

/** Makes bad returns until the device has to wait, or `most` of them. None may move the run. */
function refused(name: string, advertiser: keyof typeof STEP_OF, spoil: Tamper, most = 3): Scenario {
  return {
    name,
    async play(attack) {
      const { world, player, tries, expectStep } = attack;
      const step = STEP_OF[advertiser];
      const cheat = player();
      await cheat.passCaptcha();
      if (step === 2) await cheat.takeStep();

      for (let bad = 0; bad < most; bad++) {
        const startedAt = world.now();
        const { link, returnUrl } = await cheat.clickComplete({ step, advertiser });
        if (!link) break;
        await cheat.dwell();
        const back = await spoil(returnUrl.replace('?token={TOKEN}', ''), { ...attack, link, startedAt });
        await tries(() => cheat.comeBack(back));
      }
      await expectStep(cheat, step, 'a bad return was credited', { orNone: true });
    },
  };
}

function withQuery(returnUrl: string, query = ''): string {
  return `${returnUrl}?${query}`;
}
