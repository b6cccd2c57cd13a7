import { makeBuyer, redeem, requirePlan } from '../players/buying.ts';
import { ODD } from './odd-values.ts';
import type { Scenario } from './scenario.ts';

/** The letters that codes are made of. */
const ALPHABET = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];

/** Attempts to get plans with codes of resellers that were never sold. */
export const CODES: Scenario[] = [
  {
    name: 'redeems one code from many devices at once',
    most: 5,
    async play({ world, player, random, tries, expect }) {
      const code = world.takeCode();
      const crowd = Array.from({ length: 12 }, () => player());
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
        [stranger, makeBuyer(random).email],
      ] as const) {
        const { status } = await tries(() => redeem({ player: again, world }, code, address));
        expect(status === 409, `a code that was redeemed was answered ${status}`, 'doubled');
      }
      await Promise.all(Array.from({ length: 5 }, () => tries(() => redeem({ player: owner, world }, code, email))));
      await requirePlan({ player: owner, world }, 'plus');
      expect((await stranger.key())?.status === 'none', 'a stranger has a plan with the code of another', 'unpaid');
    },
  },
  {
    name: 'guesses codes',
    most: 5,
    async play({ world, player, random, tries, expect }) {
      const cheat = player();
      const { email } = makeBuyer(random);
      const statuses: number[] = [];
      for (let times = 0; times < 20; times++) {
        const letters = Array.from({ length: 24 }, () => random.pick(ALPHABET)).join('');
        const guess = random.pick([letters, letters.slice(1), `${letters}0`, random.pick(ODD)]);
        statuses.push((await tries(() => redeem({ player: cheat, world }, guess, email))).status);
      }
      expect(!statuses.includes(200), 'a code was guessed', 'unpaid');
    },
  },
];
