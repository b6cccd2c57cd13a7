import type { Challenge, Solution } from '../players/captcha.ts';
import type { Scenario } from './scenario.ts';

/** Attempts to get a pass without solving a captcha, or more than one pass for one solution. */
export const CAPTCHA: Scenario[] = [
  {
    name: 'hands one solution in 30 times at once',
    async play({ player, tries, expect }) {
      const cheat = player();
      const token = await cheat.solveCaptcha();
      const answers = await tries(() => Promise.all(Array.from({ length: 30 }, () => cheat.handIn(token))), 30);
      const passed = answers.filter(({ text }) => text === 'true').length;
      expect(passed <= 1, `one solution was worth ${passed} passes`);
    },
  },
  {
    name: "hands in another device's solution",
    async play({ player, tries, expect }) {
      const [friend, cheat] = [player(), player()];
      const token = await friend.solveCaptcha();
      for (let again = 0; again < 3; again++) {
        const { text } = await tries(() => cheat.handIn(token));
        expect(text !== 'true', "another device's solution was taken");
      }
      const { link } = await tries(() => cheat.clickComplete());
      expect(!link, "a run was opened on another device's captcha");
    },
  },
  {
    name: 'hands in a solution for another system',
    async play({ player, tries, expect }) {
      const cheat = player({ os: 'android' });
      const token = await cheat.solveCaptcha();
      const { text } = await tries(() => cheat.handIn(token, { on: 'windows' }));
      expect(text !== 'true', 'a solution for one system was taken for another');
      await cheat.handIn(token);
      const other = player({ os: 'ios', hwid: cheat.hwid, zone: cheat.zone });
      const { link } = await tries(() => other.clickComplete());
      expect(!link, 'a pass for one system opened a run for another');
    },
  },
  {
    name: 'lowers the price of its challenge',
    async play({ player, random, tries, expect }) {
      const cheat = player();
      const { challenge, solution } = read(await cheat.solveCaptcha());
      const { parameters } = challenge;
      const changes = [
        { cost: 0 },
        { cost: -1 },
        { keyPrefix: '00' },
        { keyPrefix: '' },
        { keyLength: 1 },
        { nonce: random.hex(32) },
        { expiresAt: parameters.expiresAt + 86_400 },
        { algorithm: 'SHA-1' },
        { keySignature: undefined },
        { data: { ...parameters.data, os: 'ios' } },
      ];
      for (const change of changes) {
        const { text } = await tries(() =>
          cheat.handIn(write({ challenge: { ...challenge, parameters: { ...parameters, ...change } }, solution })),
        );
        expect(text !== 'true', `a challenge changed to ${JSON.stringify(change)} was taken`);
      }
    },
  },
  {
    name: 'invents solutions',
    async play({ player, random, tries, expect }) {
      const cheat = player();
      const { challenge, solution } = read(await cheat.solveCaptcha());
      const inventions = [
        write({ challenge, solution: { ...solution, derivedKey: random.hex(64) } }),
        write({
          challenge,
          solution: {
            ...solution,
            counter: solution.counter + 1,
            derivedKey: `${challenge.parameters.keyPrefix}${random.hex(32)}`,
          },
        }),
        write({ challenge: { ...challenge, signature: random.hex(64) }, solution }),
        write({ challenge: { ...challenge, signature: '' }, solution }),
        write({ challenge: { parameters: challenge.parameters }, solution }),
        write({ challenge, solution: null }),
        write({}),
        write([]),
        'true',
        '%%%',
        random.base64url(2000),
      ];
      for (const token of inventions) {
        const { text } = await tries(() => cheat.handIn(token));
        expect(text !== 'true', `the invented solution ${token.slice(0, 80)} was taken`);
      }
    },
  },
  {
    name: 'hands a real solution in with odd words beside it',
    async play({ player, random, tries, expectNothing }) {
      for (let again = 0; again < 4; again++) {
        const cheat = player();
        const odd = random.pick([
          '\u0000',
          'rinku\u0000',
          '\ud800',
          "'; drop table run; --",
          'x'.repeat(5000),
          ['rinku'],
          { $gt: '' },
          7,
        ]);
        const body = {
          'g-recaptcha-response': await cheat.solveCaptcha(),
          hwid: cheat.hwid,
          OS: cheat.os,
          advertiser: odd,
        };
        expectNothing(await tries(() => cheat.post('/api/v2/verify-captcha', body)));
        expectNothing(await tries(() => cheat.post('/api/v2/verify-captcha', { ...body, advertiser: null, OS: odd })));
      }
    },
  },
];

/** Decodes a token of the widget. */
const read = (token: string) =>
  JSON.parse(Buffer.from(token, 'base64').toString()) as { challenge: Challenge; solution: Solution };
const write = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
