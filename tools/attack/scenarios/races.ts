import { makeBuyer, redeem, requirePlan } from '../players/buying.ts';
import type { Scenario } from './scenario.ts';

const AT_ONCE = 50;

/** Attempts to use something valid a second time, or many times at once. */
export const RACES: Scenario[] = [
  {
    name: 'replays its return 50 times at once',
    async play({ world, player, openRun, tries, expectStep }) {
      const cheat = player();
      const { link } = await openRun(cheat);
      await cheat.dwell();
      const back = await world.advertisers.finish(link, { isKept: true });
      await tries(() => Promise.all(times(AT_ONCE, () => cheat.comeBack(back))), AT_ONCE);
      await expectStep(cheat, 2, 'fifty returns of one ticket did not count once');
    },
  },
  {
    name: 'replays all its returns after the finish',
    async play({ world, player, leave, tries, expect }) {
      const cheat = player({ app: 'companion' });
      const backs: string[] = [];
      await cheat.passCaptcha();
      const spare = await leave(cheat, { step: 1 });
      for (let step = 1; step <= 3; step++) {
        const { link } = await leave(cheat, { step });
        await cheat.dwell();
        const back = await world.advertisers.finish(link, { isKept: true });
        await cheat.comeBack(back);
        backs.push(back);
      }
      const key = (await cheat.key())?.key;
      backs.push(await world.advertisers.finish(spare.link));
      for (const back of [...backs, ...backs]) await tries(() => cheat.comeBack(back));
      expect(key !== undefined && (await cheat.key())?.key === key, 'a replay after the finish changed the key');
    },
  },
  {
    name: 'climbs with one ticket and fresh proofs',
    async play({ world, player, openRun, tries, expectStep }) {
      const cheat = player();
      const { link } = await openRun(cheat);
      await cheat.dwell();
      await cheat.comeBack(await world.advertisers.finish(link));
      for (let climb = 0; climb < 6; climb++) {
        const back = await world.advertisers.finish(link);
        await tries(() => cheat.comeBack(back));
      }
      await expectStep(cheat, 2, 'one ticket counted for more than one step');
    },
  },
  {
    name: 'finishes one step in three tabs, each many times at once',
    async play({ world, player, openRun, leave, tries, expectStep }) {
      const cheat = player();
      const tabs = [
        await openRun(cheat),
        await leave(cheat, { step: 1 }),
        await leave(cheat, { step: 1, advertiser: 'lootlabs' }),
      ];
      await cheat.dwell();
      const backs: string[] = [];
      for (const { link } of tabs) backs.push(await world.advertisers.finish(link, { calls: 2 }));
      await tries(() => Promise.all(times(18, (nth) => cheat.comeBack(takeInTurn(backs, nth)))), 18);
      await expectStep(cheat, 2, 'three tabs did not count once');
    },
  },
  {
    name: 'opens 50 runs at once with one captcha',
    async play({ player, tries, expectStep }) {
      const cheat = player();
      await cheat.passCaptcha();
      await tries(() => Promise.all(times(AT_ONCE, () => cheat.clickComplete())), AT_ONCE);
      await expectStep(cheat, 1, 'fifty starts did not open one run');
    },
  },
  {
    name: 'finishes the last step 50 times at once',
    async play({ world, player, leave, tries, expect }) {
      const cheat = player({ app: 'companion' });
      await cheat.passCaptcha();
      await cheat.takeStep({ step: 1 });
      await cheat.takeStep({ step: 2 });
      const tabs = [await leave(cheat, { step: 3 }), await leave(cheat, { step: 3 }), await leave(cheat, { step: 3 })];
      await cheat.dwell();
      const backs: string[] = [];
      for (const { link } of tabs) backs.push(await world.advertisers.finish(link, { isKept: true }));
      await tries(() => Promise.all(times(AT_ONCE, (nth) => cheat.comeBack(takeInTurn(backs, nth)))), AT_ONCE);
      const keys = await Promise.all(times(10, () => cheat.key()));
      expect(new Set(keys.map((answer) => answer?.key)).size === 1, 'the last step gave more than one key');
    },
  },
  {
    name: 'opens a second run on the captcha of the first',
    async play({ player, tries, expect }) {
      const cheat = player({ app: 'companion' });
      await cheat.passCaptcha();
      for (let step = 1; step <= 3; step++) await cheat.takeStep({ step });
      const other = player({ hwid: cheat.hwid, zone: cheat.zone });
      for (const step of [undefined, 1]) {
        const { link } = await tries(() => other.clickComplete({ step }));
        expect(!link, 'a captcha that was used up opened another run');
      }
    },
  },
  {
    name: 'plays two runs of one device at once',
    async play({ player, openRun, tries, expect, expectStep }) {
      const cheat = player();
      const second = player({ hwid: cheat.hwid, zone: cheat.zone });
      await openRun(cheat);
      await cheat.takeStep({ step: 1 });
      await second.passCaptcha();
      for (const step of [undefined, 1, 2, 3]) {
        const { page } = await tries(() => second.clickComplete({ step }));
        expect(page === undefined || page.step === 2, `a second run led to ${JSON.stringify(page)}`);
      }
      await expectStep(second, 2, 'a second run was opened beside the first');
    },
  },
  {
    name: 'redeems one code from many devices at once',
    most: 5,
    async play({ world, player, random, tries, expect }) {
      const code = world.takeCode();
      const crowd = times(12, () => player());
      const answers = await Promise.all(
        crowd.map((one) => tries(() => redeem({ player: one, world }, code, makeBuyer(random).email))),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses.join() === `200${',409'.repeat(11)}`, `one code was answered ${statuses.join()}`, 'doubled');
    },
  },
  {
    name: 'redeems a code again',
    most: 5,
    async play({ world, player, random, tries, expect }) {
      const code = world.takeCode();
      const [owner, stranger] = [player(), player()];
      const { email } = makeBuyer(random);
      await redeem({ player: owner, world }, code, email);
      for (const [again, address] of [
        [stranger, email],
        [owner, makeBuyer(random).email],
      ] as const) {
        const { status } = await tries(() => redeem({ player: again, world }, code, address));
        expect(status === 409, `a code that was redeemed was answered ${status}`, 'doubled');
      }
      await Promise.all(times(5, () => tries(() => redeem({ player: owner, world }, code, email))));
      await requirePlan({ player: owner, world }, 'plus');
    },
  },
];

function takeInTurn(backs: readonly string[], nth: number): string {
  return backs[nth % backs.length] ?? '';
}

function times<Made>(count: number, make: (nth: number) => Made): Made[] {
  return Array.from({ length: count }, (_, nth) => make(nth));
}
