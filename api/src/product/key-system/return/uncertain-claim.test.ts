import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { DatabaseQueueFull, DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { insertAttempt, insertRun } from '#api/test/build-rows.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { openSqliteFile } from '#api/test/databases/sqlite-file.ts';
import { LONG_ENOUGH_MS, passCaptcha, clickComplete, requireLocation, WHO } from '#api/test/product/visitor-steps.ts';
import { createRetryQueue } from './retry-queue.ts';
import { rollBackUncertainClaim } from './return-visit.ts';

test.each([
  ['after long enough', LONG_ENOUGH_MS],
  ['too early', 0],
])(
  'a claim %s whose answer is lost is rolled back, and the visitor is credited with the same ticket',
  async (_when, stayedMs) => {
    let isLost = false;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult({ result }) {
        const isClaim = result.rows.some((row) => row['state'] === 'checking' && row['returnedAt'] !== null);
        if (!isClaim || isLost) return Promise.resolve(result);
        isLost = true;
        return Promise.reject(new DatabaseUnavailable('the answer is lost'));
      },
    };
    const { db } = await openSqliteFile();
    const api = await createTestApi({
      db: db.withPlugin(plugin),
      advertisers: exampleSettings,
      callProvider: () => Promise.resolve('TRUE'),
    });
    await passCaptcha(api);
    const link = new URL(await clickComplete(api));
    api.pass(stayedMs);
    const { pathname } = new URL(decodeURI(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString()));
    const comeBack = () => api.visit(`${pathname}?hash=${'a'.repeat(64)}`);
    const stateOf = async () => (await db.selectFrom('stepAttempt').select('state').executeTakeFirstOrThrow()).state;

    await comeBack();
    expect(await stateOf()).toBe('checking');
    await expect.poll(stateOf, { timeout: 15_000 }).toBe('issued');

    await comeBack();
    api.pass(LONG_ENOUGH_MS);
    expect(requireLocation(await comeBack())).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
  },
);

/** A server whose claims fail, and the state of an attempt that it claimed at a time, once it has stopped. */
async function openServer(claimedAt: number) {
  const { db } = await openSqliteFile();
  const { keySystem } = await createTestApi({ db });
  const retryQueue = createRetryQueue({ now: () => 0, warn: () => undefined });
  const { id } = await insertAttempt(db, await insertRun(db));
  await db
    .updateTable('stepAttempt')
    .set({ state: 'checking', claimedBy: keySystem.instance, returnedAt: claimedAt })
    .execute();
  return {
    fail: async (at: number, error: Error) =>
      expect(rollBackUncertainClaim({ ...keySystem, retryQueue }, { id }, at, Promise.reject(error))).rejects.toBe(
        error,
      ),
    stop: async () => {
      retryQueue.hurry();
      await retryQueue.finish(60_000);
      return (await db.selectFrom('stepAttempt').select('state').executeTakeFirstOrThrow()).state;
    },
  };
}

test.each([1, 2])(
  'of two claims of one ticket whose answers are lost, the one at %s is rolled back',
  async (claimedAt) => {
    const { fail, stop } = await openServer(claimedAt);
    await fail(1, new DatabaseUnavailable('the answer is lost'));
    await fail(2, new DatabaseUnavailable('the answer is lost'));

    expect(await stop()).toBe('issued');
  },
);

test('a claim that was never sent is not rolled back: the queue for the database is full already', async () => {
  const { fail, stop } = await openServer(1);
  await fail(1, new DatabaseQueueFull('full'));

  expect(await stop()).toBe('checking');
});
