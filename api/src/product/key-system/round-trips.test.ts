import { PGliteDialect } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { openPglite } from '#api/test/databases/pglite.ts';
import {
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  WHO,
  walkStep,
} from '#api/test/product/visitor-steps.ts';

const SIGNING_KEY = readSigningKey(generateSigningKey('test-key'));
const DAY_MS = 24 * 60 * 60 * 1000;

/** The statements since the last count, `begin` and `commit` among them. Each is one trip to the database and back. */
const sent: string[] = [];
let db: Db;

beforeAll(async () => {
  const pglite = await openPglite();
  const transaction = pglite.transaction.bind(pglite);
  // It begins and commits by itself, which Kysely does not see.
  pglite.transaction = (body) => {
    sent.push('begin', 'commit');
    return transaction(body);
  };
  db = withDialect(new PGliteDialect({ pglite }), ({ query }) => void sent.push(query.sql));
  await migrate(db);
  return () => db.destroy();
});

/** Counts the trips of one call. */
async function countTrips(call: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await call();
  return sent.length;
}

// Each trip is a wait where the database is on another machine. docs/capacity.md has the numbers.
test('reading a state and issuing a key take one database round trip at every step', async () => {
  const api = await createTestApi({ db, signingKey: SIGNING_KEY });
  const key = () => countTrips(() => api.ask(`/api/key?${WHO}`));
  const state = () => countTrips(() => readState(api));

  expect(await key()).toBe(1);
  await passCaptcha(api);
  for (const step of [1, 2, 3, 4, 5]) {
    await walkStep(api, { step });
    expect([await key(), await state()]).toEqual([1, 1]);
  }
  await walkStep(api, { step: 6 });
  expect(await state()).toBe(1);
});

test('a step takes the same number of database round trips in every run', async () => {
  const api = await createTestApi({ db, signingKey: SIGNING_KEY, startAt: Date.now() + DAY_MS });

  const first = await walkAndCount(api);
  api.pass(DAY_MS);
  const second = await walkAndCount(api);

  const [, ...later] = first;
  expect(new Set(later.map(({ start }) => start)).size).toBe(1);
  expect(first.map(({ comeBack }) => comeBack)).toEqual([7, 7, 7, 7, 7, 9]);
  expect(second).toEqual(first);
});

test('a return whose address is the proof takes one database round trip less', async () => {
  const api = await createTestApi({ db, signingKey: SIGNING_KEY, startAt: Date.now() + 3 * DAY_MS });
  await passCaptcha(api);
  const link = await clickComplete(api, { advertiser: 'rinku' });
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link);

  expect(await countTrips(() => api.visit(address))).toBe(6);
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

/** Walks a whole run, and counts the trips of each step. */
async function walkAndCount(api: TestApi) {
  await passCaptcha(api);
  const trips: { start: number; comeBack: number }[] = [];
  for (const step of [1, 2, 3, 4, 5, 6]) {
    let link = '';
    const start = await countTrips(async () => (link = await clickComplete(api, { step })));
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);
    trips.push({ start, comeBack: await countTrips(() => api.visit(address)) });
  }
  return trips;
}
