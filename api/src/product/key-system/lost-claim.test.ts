import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { DatabaseQueueFull, DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createTestApi } from '#api/test/create-test-api.ts';
import { openSqliteFile } from '#api/test/databases/sqlite-file.ts';
import { LONG_ENOUGH_MS, passCaptcha, pressComplete, requireLocation, WHO } from '#api/test/product/visitor-steps.ts';
import { createLaterWrites } from './retry-queue.ts';
import { undoIfUnknown } from './return-visit.ts';

test.each([
  ['after long enough', LONG_ENOUGH_MS],
  ['too early', 0],
])(
  'a claim %s whose answer is lost is undone, and the visitor is credited with the same ticket',
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
    const link = new URL(await pressComplete(api));
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

/** A server whose claims fail, and the claims that it has undone once it has stopped. */
async function openServer() {
  const { keySystem } = await createTestApi({ db: (await openSqliteFile()).db });
  const laterWrites = createLaterWrites({ now: () => 0, warn: () => undefined });
  const undone: number[] = [];
  const undoClaim = (_id: string, _by: string, at: number) => Promise.resolve(void undone.push(at));
  const system = { ...keySystem, laterWrites, attempts: { ...keySystem.attempts, undoClaim } };
  return {
    fail: async (at: number, error: Error) =>
      expect(undoIfUnknown(system, { id: 'attempt' }, at, Promise.reject(error))).rejects.toBe(error),
    stop: async () => {
      laterWrites.hurry();
      await laterWrites.finish(60_000);
      return undone;
    },
  };
}

test('two lost claims of one ticket are both undone', async () => {
  const { fail, stop } = await openServer();
  await fail(1, new DatabaseUnavailable('the answer is lost'));
  await fail(2, new DatabaseUnavailable('the answer is lost'));

  expect(await stop()).toEqual([1, 2]);
});

test('a claim that was never sent is not undone: the queue for the database is full already', async () => {
  const { fail, stop } = await openServer();
  await fail(1, new DatabaseQueueFull('full'));

  expect(await stop()).toEqual([]);
});
