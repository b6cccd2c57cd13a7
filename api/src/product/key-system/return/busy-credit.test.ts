import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createExpiryRepository } from '#api/product/sweeper/expiry.repository.ts';
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
import { sealed } from '#api/test/sealed.ts';
import { expireRun } from '#api/product/key-system/sweep-runs.ts';

const CLAIM_MS = 60_000;
const POLL = { timeout: 15_000, interval: 50 };

/** A visitor comes back with a proof; another program locks the database before Linkvertise answers. */
async function comeBackToBusyDatabase(reply = 'TRUE') {
  const { file, db } = await openSqliteFile();
  let lock: Awaited<ReturnType<typeof holdWriteLock>> | undefined;
  let asked = 0;
  const callProvider = async () => {
    asked += 1;
    lock = await holdWriteLock(file);
    return reply;
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
    attempt: () => api.db.selectFrom('stepAttempt').select(['state', 'reason']).executeTakeFirstOrThrow(),
  };
}

test('a step whose proof was good is credited when the database can be written again, and the visitor waits on a page', async () => {
  const { api, comeBack, first, letGo, timesAsked } = await comeBackToBusyDatabase();

  expect([first.status, first.headers.get('refresh')]).toEqual([200, '3']);
  const again = await comeBack();
  expect([again.status, again.headers.get('refresh')]).toEqual([200, '3']);

  await letGo();
  await expect.poll(() => readState(api), POLL).toMatchObject({ run: { step: 2 } });
  expect(requireLocation(await comeBack())).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
  expect(timesAsked()).toBe(1);
  expect(
    await (
      await sealed(api.db)
    )
      .selectFrom('auditEvent')
      .select('code')
      .where('kind', '=', 'attempt')
      .where('code', '=', 'verified')
      .execute(),
  ).toHaveLength(1);
});

test('a visitor who is back before the database can be written waits on a page that retries with the proof', async () => {
  const { file, db } = await openSqliteFile();
  const api = await createTestApi({
    db,
    advertisers: exampleSettings,
    callProvider: () => Promise.resolve('TRUE'),
  });
  await passCaptcha(api);
  const link = new URL(await clickComplete(api));
  api.pass(LONG_ENOUGH_MS);
  const { pathname } = new URL(decodeURI(Buffer.from(link.searchParams.get('r') ?? '', 'base64').toString()));
  const comeBack = () => api.visit(`${pathname}?hash=${'a'.repeat(64)}`);

  const { letGo } = await holdWriteLock(file);
  const busy = await comeBack();
  expect([busy.status, busy.headers.get('refresh'), busy.headers.get('retry-after')]).toEqual([503, '3', '3']);

  await letGo();
  expect(requireLocation(await comeBack())).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
});

test('a bad proof is rejected when the database can be written again, with one strike', async () => {
  const { api, comeBack, first, letGo, attempt } = await comeBackToBusyDatabase('FALSE');

  expect([first.status, first.headers.get('refresh')]).toEqual([200, '3']);
  await letGo();
  await expect.poll(attempt, POLL).toEqual({ state: 'rejected', reason: 'KS_PROOF' });
  expect(requireLocation(await comeBack())).toBe(`/key-system-bypass?${WHO}&r=KS_PROOF`);
  expect(await api.db.selectFrom('strike').select('code').execute()).toEqual([{ code: 'KS_PROOF' }]);
});

test('an unanswered check is given up when the database can be written again', async () => {
  const { first, letGo, attempt } = await comeBackToBusyDatabase('Invalid token.');

  expect([first.status, first.headers.get('refresh')]).toEqual([200, '3']);
  await letGo();
  await expect.poll(attempt, POLL).toEqual({ state: 'expired', reason: 'KS_PROVIDER_DOWN' });
});

test('when the claim is too old the verdict is no longer written, and the check ends as one without a verdict', async () => {
  const { api, letGo, attempt, comeBack } = await comeBackToBusyDatabase();

  api.pass(CLAIM_MS);
  await expect.poll(() => api.logged.join(), POLL).toContain('verdict not written');
  await letGo();
  expect(await attempt()).toEqual({ state: 'checking', reason: null });

  api.pass(CLAIM_MS);
  const expiry = createExpiryRepository(api.db);
  const moment = { at: api.now(), claimedBefore: api.now() - CLAIM_MS };
  for (const runId of await expiry.listStale(moment, 10)) await expireRun(api, runId, moment);
  expect(requireLocation(await comeBack())).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_PROVIDER_DOWN`);
  expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
});

test('a server that stops writes the verdict first, as soon as the database can be written', async () => {
  const { api, letGo } = await comeBackToBusyDatabase();

  api.retryQueue.hurry();
  const finished = api.retryQueue.finish(POLL.timeout);
  await letGo();
  await finished;

  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
  expect(api.logged.join()).not.toContain('verdict not written');
});

test('what a server that stops cannot write in time is logged, by its attempt and without secrets', async () => {
  const { api, ticket } = await comeBackToBusyDatabase();
  const { id } = await api.db.selectFrom('stepAttempt').select('id').executeTakeFirstOrThrow();

  api.retryQueue.hurry();
  await api.retryQueue.finish(100);

  const told = api.logged.filter((line) => line.includes('verdict not written'));
  expect(told.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 50, attempt: id }]);
  for (const secret of [ticket, 'a'.repeat(64), 'device-1234', 'zone-1']) expect(told.join()).not.toContain(secret);
});

/** A visitor who is back from LootLabs, whose call has not come. */
async function awaitCall() {
  const { file, db } = await openSqliteFile();
  const whenNoted: { act?: () => Promise<unknown> } = {};
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isNote = result.rows.some(
        (row) => typeof row['postbackAt'] === 'number' && row['state'] === 'awaiting_postback',
      );
      const { act } = whenNoted;
      delete whenNoted.act;
      if (isNote) await act?.();
      else if (act) whenNoted.act = act;
      return result;
    },
  };
  const callProvider = () => Promise.resolve(JSON.stringify({ type: 'fetched', message: 'abc%3D' }));
  const api = await createTestApi({ db: db.withPlugin(plugin), advertisers: exampleSettings, callProvider });
  await passCaptcha(api);
  const clickId = new URL(await clickComplete(api, { advertiser: 'lootlabs' })).searchParams.get('puid') ?? '';
  api.pass(LONG_ENOUGH_MS);
  await db.updateTable('stepAttempt').set({ state: 'awaiting_postback', returnedAt: api.now() }).execute();
  const postBack = () =>
    api.ask(
      `/api/keysystem/postback/${exampleSettings.lootlabs.postbackSecret}?click_id=${clickId}&unique_id=task-1&ip=192.0.2.1`,
    );
  return { api, file, postBack, whenNoted };
}

test('a postback that met a busy database is refused, is retried by the server, and counts once', async () => {
  const { api, file, postBack } = await awaitCall();
  const { letGo } = await holdWriteLock(file);
  expect((await postBack()).status).toBe(503);
  await letGo();
  await expect.poll(() => readState(api), POLL).toMatchObject({ run: { step: 2 } });

  expect(await (await postBack()).text()).toBe('ok');
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('a postback that was stored before the database was busy is credited by the server afterwards', async () => {
  const { api, file, postBack, whenNoted } = await awaitCall();
  let lock: Awaited<ReturnType<typeof holdWriteLock>> | undefined;
  whenNoted.act = async () => (lock = await holdWriteLock(file));
  expect((await postBack()).status).toBe(503);
  await lock?.letGo();
  await expect.poll(() => readState(api), POLL).toMatchObject({ run: { step: 2 } });
});
