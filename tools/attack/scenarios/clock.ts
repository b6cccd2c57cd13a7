import { waitForToken } from '../players/operator.ts';
import { buyPlan } from './links.ts';
import type { ClockScenario } from './scenario.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Attempts to use tickets, solutions, passes, runs, keys and links that have expired. */
export const CLOCK: ClockScenario[] = [
  {
    name: 'returns with an expired ticket',
    afterMs: 16 * MINUTE,
    async prepare({ world, player, openRun, tries, expectStep }) {
      const cheat = player();
      const { link } = await openRun(cheat);
      return async () => {
        const back = await world.advertisers.finish(link, { isKept: true });
        for (let again = 0; again < 5; again++) await tries(() => cheat.comeBack(back));
        await expectStep(cheat, 1, 'an expired ticket was taken');
      };
    },
  },
  {
    name: 'hands in an expired solution',
    afterMs: 16 * MINUTE,
    async prepare({ player, tries, expect }) {
      const cheat = player();
      const token = await cheat.solveCaptcha();
      return async () => {
        for (let again = 0; again < 5; again++) {
          const { text } = await tries(() => cheat.handIn(token));
          expect(text !== 'true', 'an expired solution was taken');
        }
      };
    },
  },
  {
    name: 'opens a run with an expired pass',
    afterMs: 16 * MINUTE,
    async prepare({ player, tries, expect }) {
      const cheat = player();
      await cheat.passCaptcha();
      return async () => {
        for (let again = 0; again < 5; again++) {
          const { link } = await tries(() => cheat.clickComplete());
          expect(!link, 'an expired pass opened a run');
        }
      };
    },
  },
  {
    name: 'goes on with an expired run',
    afterMs: 25 * HOUR,
    async prepare({ world, player, openRun, leave, tries, expect }) {
      const cheat = player();
      await openRun(cheat);
      await cheat.takeStep({ step: 1 });
      const { link } = await leave(cheat, { step: 2 });
      return async () => {
        const back = await world.advertisers.finish(link, { isKept: true });
        for (let again = 0; again < 3; again++) {
          await tries(() => cheat.comeBack(back));
          const started = await tries(() => cheat.clickComplete({ step: 2 }));
          expect(!started.link, 'an expired run went on');
        }
        expect((await cheat.state())?.run === null, 'an expired run is shown as open');
      };
    },
  },
  {
    name: 'shows an expired key',
    afterMs: 25 * HOUR,
    prepare: ({ exhibits, player, tries, expect, post }) =>
      Promise.resolve(async () => {
        for (const { player: owner, key } of exhibits) {
          const body = { key, hwid: owner.hwid, app: owner.app };
          const verdict = await tries(() => post(player(), '/api/key/verify', body));
          expect(/"EXPIRED"/.test(verdict.text), `a key from yesterday is ${verdict.text}`, 'keys');
          const answer = await tries(() => owner.key());
          expect(answer?.status === 'none', `the app is told of a key from yesterday: ${answer?.status}`, 'keys');
        }
      }),
  },
  {
    name: 'opens a link of yesterday',
    afterMs: 25 * HOUR,
    async prepare(attack) {
      const { world, player, tries, expect } = attack;
      const { email } = await buyPlan(attack);
      const added = player();
      await added.post('/api/claim-plan', { email, hwid: added.hwid });
      const token = await waitForToken(world, email);
      return async () => {
        for (const call of ['claim-details', 'confirm-claim', 'reset-details', 'confirmresetdevices']) {
          const { status } = await tries(() => added.post(`/api/${call}`, { token }));
          expect(status === 410, `${call} with a link of yesterday was answered ${status}`, 'unpaid');
        }
      };
    },
  },
];
