import { PGliteDialect } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
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

/** The statements since the last count, `begin` and `commit` among them. Each is one trip to the database and back. */
const sent: string[] = [];
let db: Db;

beforeAll(async () => {
  const pglite = await openPglite();
  const transaction = pglite.transaction.bind(pglite);
  // It begins and commits by itself, which Kysely does not see.
  vi.spyOn(pglite, 'transaction').mockImplementation((body) => {
    sent.push('begin', 'commit');
    return transaction(body);
  });
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

// These are the numbers of docs/capacity.md. With more of them each call waits longer for a database in another machine.
test('the calls of a run take no more trips to the database than these', async () => {
  const api = await createTestApi({ db });
  const key = () => api.ask(`/api/key?${WHO}`);
  const trips: Record<string, number> = {};
  const comeBack = async (link: string) => {
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);
    return countTrips(() => api.visit(address));
  };
  let link = '';

  trips['key, unknown device'] = await countTrips(key);
  await passCaptcha(api);
  trips['start that opens a run'] = await countTrips(async () => (link = await clickComplete(api)));
  trips['return'] = await comeBack(link);
  trips['start'] = await countTrips(async () => (link = await clickComplete(api, { step: 2 })));
  trips['state'] = await countTrips(() => readState(api));
  trips['key, open run'] = await countTrips(key);
  await comeBack(link);
  for (const step of [3, 4, 5]) await walkStep(api, { step });
  trips['last return'] = await comeBack(await clickComplete(api, { step: 6 }));
  trips['state with a key'] = await countTrips(() => readState(api));
  trips['key'] = await countTrips(key);

  expect(trips).toEqual({
    'key, unknown device': 1,
    'key, open run': 1,
    key: 2,
    state: 1,
    'state with a key': 1,
    'start that opens a run': 11,
    start: 7,
    return: 9,
    'last return': 11,
  });
});
