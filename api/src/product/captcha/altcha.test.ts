import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, test } from 'vitest';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { createAltcha } from './altcha.ts';

const SUBJECT = { hwidHmac: 'hwid', os: 'android' } as const;
const altcha = createAltcha({ pepper: TEST_PEPPER, now: Date.now, cost: 2 });

/** A challenge at four times the usual price, as its solver sends it back after a change. */
async function solve({ change = {}, before = {} }: { change?: object; before?: object } = {}): Promise<string> {
  const given = await requireChallenge(4);
  const challenge = { ...given, parameters: { ...given.parameters, ...before } };
  const solution = await solveChallenge({ challenge, deriveKey });

  return encode({ challenge: { ...challenge, parameters: { ...challenge.parameters, ...change } }, solution });
}

test('a challenge has the requested cost and its solution is accepted', async () => {
  expect((await requireChallenge(1)).parameters.cost).toBe(2);
  expect((await requireChallenge(4)).parameters.cost).toBe(8);
  expect(await altcha.verify(await solve(), SUBJECT)).toMatch(/^[0-9a-f]{16,}$/);
});

test('the number of proof-of-work rounds can be set for tests', async () => {
  const short = createAltcha({ pepper: TEST_PEPPER, now: Date.now, rounds: 3 });
  if (!short.challenge) throw new Error('ALTCHA has challenges.');
  const challenge = await short.challenge(SUBJECT, 1);
  const solution = await solveChallenge({ challenge, deriveKey });

  expect([challenge.parameters.cost, solution?.counter]).toEqual([1000, 3]);
  expect(await short.verify(encode({ challenge, solution }), SUBJECT)).toMatch(/^[0-9a-f]{16,}$/);
});

test.each([
  { how: 'solved for a shorter beginning', before: { keyPrefix: 'ab' } },
  { how: 'solved for a shorter beginning at the usual price', before: { keyPrefix: 'ab', cost: 2 } },
  { how: 'solved dearly, and said to be cheap', change: { cost: 2 } },
  { how: 'said to be for another device', change: { data: { hwidH: 'other', os: 'android' } } },
  { how: 'said to last longer', change: { expiresAt: 4_000_000_000 } },
])('threat 15: a challenge of higher cost that is $how is rejected', async ({ before = {}, change = {} }) => {
  const subject = 'data' in change ? { ...SUBJECT, hwidHmac: 'other' } : SUBJECT;

  expect(await altcha.verify(await solve({ before, change }), subject)).toBeUndefined();
});

test('threat 15: a solution of lower cost is rejected for a challenge of higher cost', async () => {
  const [cheap, dear] = [await requireChallenge(1), await requireChallenge(4)];
  const solution = await solveChallenge({ challenge: cheap, deriveKey });

  expect(await altcha.verify(encode({ challenge: dear, solution }), SUBJECT)).toBeUndefined();
  expect(
    await altcha.verify(encode({ challenge: { ...dear, parameters: cheap.parameters }, solution }), SUBJECT),
  ).toBeUndefined();
});

test.each(['', 'not base64 at all', encode({}), Buffer.from('null').toString('base64')])(
  'the captcha token "%s" is rejected',
  async (token) => {
    expect(await altcha.verify(token, SUBJECT)).toBeUndefined();
  },
);

test.each([
  { what: 'an empty challenge', payload: { challenge: {}, solution: { counter: 1, derivedKey: 'x' } } },
  {
    what: 'incomplete parameters',
    payload: { challenge: { parameters: {}, signature: 'x' }, solution: { counter: 1, derivedKey: 'x' } },
  },
  { what: 'no solution', payload: { challenge: { parameters: {}, signature: 'x' } } },
])('a captcha token with $what is rejected', async ({ payload }) => {
  expect(await altcha.verify(encode(payload), SUBJECT)).toBeUndefined();
});

function requireChallenge(costFactor: number) {
  if (!altcha.challenge) throw new Error('ALTCHA has challenges.');
  return altcha.challenge(SUBJECT, costFactor);
}

function encode(payload: object): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}
