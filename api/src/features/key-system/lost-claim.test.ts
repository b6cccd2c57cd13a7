import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';
import exampleSettings from '#api/features/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createTestApi } from '#api/test/create-test-api.ts';
import { openSqliteFile } from '#api/test/open-sqlite-file.ts';
import { LONG_ENOUGH_MS, passCaptcha, pressComplete, requireLocation, WHO } from '#api/test/visitor-steps.ts';

test('a claim whose answer is lost is undone, and the visitor is credited with the same ticket', async () => {
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
  api.pass(LONG_ENOUGH_MS);
  const { pathname } = new URL(decodeURI(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString()));
  const comeBack = () => api.visit(`${pathname}?hash=${'a'.repeat(64)}`);
  const stateOf = async () => (await db.selectFrom('stepAttempt').select('state').executeTakeFirstOrThrow()).state;

  await comeBack();
  expect(await stateOf()).toBe('checking');
  await expect.poll(stateOf, { timeout: 15_000 }).toBe('issued');

  expect(requireLocation(await comeBack())).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
});
