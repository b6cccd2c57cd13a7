import { expect, test } from 'vitest';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createTestApi } from '#api/test/create-test-api.ts';
import { holdWriteLock, openSqliteFile } from '#api/test/databases/sqlite-file.ts';
import {
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  WHO,
} from '#api/test/product/visitor-steps.ts';

const POLL = { timeout: 15_000, interval: 50 };

/** A visitor comes back with a proof; another program locks the database before Linkvertise answers. */
async function comeBackToBusyDatabase() {
  const { file, db } = await openSqliteFile();
  let lock: Awaited<ReturnType<typeof holdWriteLock>> | undefined;
  let asked = 0;
  const callProvider = async () => {
    asked += 1;
    lock = await holdWriteLock(file);
    return 'TRUE';
  };
  const api = await createTestApi({ db, advertisers: exampleSettings, callProvider });
  await passCaptcha(api);
  const link = new URL(await clickComplete(api));
  api.pass(LONG_ENOUGH_MS);
  const { pathname } = new URL(decodeURI(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString()));
  const comeBack = () => api.visit(`${pathname}?hash=${'a'.repeat(64)}`);

  const first = await comeBack();
  return {
    api,
    comeBack,
    first,
    timesAsked: () => asked,
    letGo: () => lock?.letGo(),
    ticket: pathname.split('/').at(-1) ?? '',
  };
}

test('a confirmed step is credited after the database becomes writable again, and its visitor waits until then', async () => {
  const { api, comeBack, first, letGo, timesAsked } = await comeBackToBusyDatabase();

  expect([first.status, first.headers.get('refresh')]).toEqual([200, '3']);
  const again = await comeBack();
  expect([again.status, again.headers.get('refresh')]).toEqual([200, '3']);

  await letGo();
  await expect.poll(() => readState(api), POLL).toMatchObject({ run: { step: 2 } });
  expect(requireLocation(await comeBack())).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
  expect(timesAsked()).toBe(1);
  expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
});

test('a stopping server first writes pending verdicts once the database is writable again', async () => {
  const { api, letGo } = await comeBackToBusyDatabase();

  api.beginToStop();
  const finished = api.site.background.drain(POLL.timeout);
  await letGo();
  await finished;

  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
  expect(api.logged.join()).not.toContain('verdict not written');
});

test('a verdict that a stopping server cannot write is logged with its attempt and without secrets', async () => {
  const { api, ticket } = await comeBackToBusyDatabase();
  const { id } = await api.db.selectFrom('stepAttempt').select('id').executeTakeFirstOrThrow();

  api.beginToStop();
  await api.site.background.drain(100);

  const told = api.logged.filter((line) => line.includes('verdict not written'));
  expect(told.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 50, attempt: id }]);
  for (const secret of [ticket, 'a'.repeat(64), 'device-1234', 'zone-1']) expect(told.join()).not.toContain(secret);
});
