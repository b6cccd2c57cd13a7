import { sql } from 'kysely';
import { expect, test } from 'vitest';
import exampleSettings from '#api/features/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import {
  finishAtAdvertiser,
  HWID,
  LONG_ENOUGH_MS,
  passCaptcha,
  pressComplete,
  readState,
  requireLocation,
  walkStep,
  ZONE,
} from '#api/test/visitor-steps.ts';
import { createTicket, hashTicket, sealVisitor } from './ticket.ts';

const WHO = 'hwid=device-1234&zone=zone-1';
const SECRET = exampleSettings.lootlabs.postbackSecret;
const QUARTER_MS = 15 * 60_000;
const ENCRYPTED = JSON.stringify({ type: 'fetched', message: 'abc%3D' });

/** A visitor on their way through LootLabs, which the test plays itself. */
async function leaveForLootlabs() {
  const api = await createTestApi({ advertisers: exampleSettings, callProvider: () => Promise.resolve(ENCRYPTED) });
  await passCaptcha(api);
  const link = new URL(await pressComplete(api, { advertiser: 'lootlabs' }));
  const clickId = link.searchParams.get('puid') ?? '';
  const postBack = (query: Record<string, string>, secret = SECRET) =>
    api.ask(
      `/api/keysystem/postback/${secret}?${new URLSearchParams({ click_id: clickId, unique_id: 'task-1', ip: '192.0.2.1', ...query }).toString()}`,
    );

  return { api, link, postBack };
}

test('threat 11: LootLabs’ call alone moves the run on, while the visitor’s tab is closed', async () => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);

  const res = await postBack({});

  expect([res.status, await res.text()]).toEqual([200, 'ok']);
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('threat 11: a last step confirmed that way brings a key bound to the device', async () => {
  const { api, postBack } = await leaveForLootlabs();
  await api.db.updateTable('run').set({ stepsRequired: 1 }).execute();
  api.pass(LONG_ENOUGH_MS);
  await postBack({});

  const { key } = (await (await api.ask(`/api/key?${WHO}`)).json()) as { key: string };
  expect(await (await api.post('/api/key/verify', { key, hwid: 'device-1234' })).json()).toMatchObject({
    code: 'VALID',
  });
  expect(await (await api.post('/api/key/verify', { key, hwid: 'device-5678' })).json()).toMatchObject({
    code: 'DEVICE_MISMATCH',
  });
});

test.each([
  { why: 'the wrong secret', query: {}, secret: 'another-long-enough-word-1234', status: 403 },
  { why: 'an unknown click', query: { click_id: 'nobody' }, secret: SECRET, status: 404 },
  { why: 'no task', query: { unique_id: '' }, secret: SECRET, status: 400 },
  { why: 'a click that no database takes', query: { click_id: 'click\0' }, secret: SECRET, status: 400 },
  { why: 'a task that no database takes', query: { unique_id: 'task\0' }, secret: SECRET, status: 400 },
])('threat 10: a call with $why is refused with $status and changes nothing', async ({ query, secret, status }) => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);

  expect((await postBack(query, secret)).status).toBe(status);
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });
});

test.each([
  { when: 'in the last millisecond of the ticket', awayMs: QUARTER_MS - 1, step: 2, noted: true },
  { when: 'when the ticket’s time is over', awayMs: QUARTER_MS, step: 1, noted: false },
])('threat 10: a call $when leaves the run at step $step', async ({ awayMs, step, noted }) => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(awayMs);

  expect(await (await postBack({})).text()).toBe('ok');

  expect(await readState(api)).toMatchObject({ run: { step } });
  const { postbackAt } = await api.db.selectFrom('stepAttempt').select('postbackAt').executeTakeFirstOrThrow();
  expect(postbackAt !== null).toBe(noted);
});

test.each(['expired', 'cancelled', 'blocked'] as const)(
  'threat 10: a call after the run was %s brings neither a step nor a key',
  async (state) => {
    const { api, postBack } = await leaveForLootlabs();
    await api.db.updateTable('run').set({ stepsRequired: 1, state }).execute();
    api.pass(LONG_ENOUGH_MS);

    expect((await postBack({})).status).toBe(200);

    expect(await api.db.selectFrom('run').select(['state', 'step']).execute()).toEqual([{ state, step: 1 }]);
    expect(await api.db.selectFrom('accessKey').selectAll().execute()).toEqual([]);
  },
);

test('threat 10: a call after the run’s own time brings no step, though nobody has closed it yet', async () => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);
  await api.db.updateTable('run').set({ expiresAt: api.now() }).execute();
  await postBack({});

  expect(await api.db.selectFrom('run').select('step').execute()).toEqual([{ step: 1 }]);
});

test('threat 10: LootLabs’ call for a visit to another advertiser is refused and changes nothing', async () => {
  const { api, postBack } = await leaveForLootlabs();
  await pressComplete(api, { advertiser: 'linkvertise' });
  const { id } = await api.db
    .selectFrom('stepAttempt')
    .select('id')
    .where('advertiserId', '=', 'linkvertise')
    .executeTakeFirstOrThrow();
  api.pass(LONG_ENOUGH_MS);

  expect((await postBack({ click_id: id })).status).toBe(404);

  expect(await readState(api)).toMatchObject({ run: { step: 1 } });
  expect(await api.db.selectFrom('stepAttempt').select(['state', 'postbackAt']).where('id', '=', id).execute()).toEqual(
    [{ state: 'issued', postbackAt: null }],
  );
});

test('threat 10: a call that comes again is answered ok and counts once', async () => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);
  await postBack({});

  expect(await (await postBack({})).text()).toBe('ok');
  expect(await (await postBack({ unique_id: 'task-2' })).text()).toBe('ok');
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('threat 10: the task of one visit counts for no other', async () => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);
  await postBack({});
  const second = new URL(await pressComplete(api, { advertiser: 'lootlabs', step: 2 })).searchParams.get('puid') ?? '';
  api.pass(LONG_ENOUGH_MS);

  expect((await postBack({ click_id: second })).status).toBe(200);
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('a call before a person could be through is noted, and counts when the visitor comes back', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  const address = await finishAtAdvertiser(api, await pressComplete(api, { advertiser: 'lootlabs' }));
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });

  api.pass(LONG_ENOUGH_MS);
  expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=lootlabs`);
});

test('T3c: a visitor who is back before the call waits on the step’s page, and the call moves it on', async () => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);
  await api.db.updateTable('stepAttempt').set({ state: 'awaiting_postback' }).execute();
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: true } });

  await postBack({});

  expect(await readState(api)).toMatchObject({ run: { step: 2, waiting: false } });
});

test('T3c: without a call the return leads to the waiting page, however often it is opened', async () => {
  const api = await createTestApi();
  await passCaptcha(api);

  const page = await walkStep(api, { advertiser: 'lootlabs' }, 'no_postback');

  expect(page).toBe(`/key-system-1?${WHO}&advertiser=lootlabs&wait=1`);
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: true } });
});

test('T9: whoever waits for a call is told at the very end of the ticket’s time that it took too long', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  const link = await pressComplete(api, { advertiser: 'lootlabs' });
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link, 'no_postback');
  await api.visit(address);

  api.pass(QUARTER_MS - LONG_ENOUGH_MS - 1);
  expect(requireLocation(await api.visit(address))).toContain('wait=1');
  api.pass(1);
  expect(requireLocation(await api.visit(address))).toBe(`/key-system-1?${WHO}&advertiser=lootlabs&e=KS_EXPIRED`);
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: false } });
});

test('T3c: a return whose attempt is given back while it looks for the call is no confirmation; it looks again', async () => {
  const { api, postBack } = await leaveForLootlabs();
  const { ticket } = await replaceTicket(api);
  await whenClaimed(api, "state = 'issued'");
  api.pass(LONG_ENOUGH_MS);

  const early = await api.visit(`/api/keysystem/return/${ticket}`);
  expect([early.status, early.headers.get('refresh')]).toEqual([200, '3']);
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });

  await sql`DROP TRIGGER meanwhile`.execute(api.db);
  await postBack({});
  expect(requireLocation(await api.visit(`/api/keysystem/return/${ticket}`))).toBe(
    `/key-system-2?${WHO}&advertiser=lootlabs`,
  );
});

test('T3c: a return whose call is noted while it looks for it is confirmed', async () => {
  const { api } = await leaveForLootlabs();
  const { ticket } = await replaceTicket(api);
  await whenClaimed(api, "postback_at = 1, provider_ref = 'task-1'");
  api.pass(LONG_ENOUGH_MS);

  expect(requireLocation(await api.visit(`/api/keysystem/return/${ticket}`))).toBe(
    `/key-system-2?${WHO}&advertiser=lootlabs`,
  );
  // The task keeps its name, so that it counts for no other visit.
  expect(await api.db.selectFrom('stepAttempt').select('providerRef').execute()).toEqual([{ providerRef: 'task-1' }]);
});

/** Gives the only attempt a ticket that the test knows; LootLabs hides the one that is in its link. */
async function replaceTicket(api: TestApi): Promise<{ ticket: string }> {
  const ticket = createTicket();
  const { id } = await api.db.selectFrom('stepAttempt').select('id').executeTakeFirstOrThrow();
  const sealedContext = sealVisitor(ticket, id, { hwid: HWID, zone: ZONE });
  await api.db
    .updateTable('stepAttempt')
    .set({ tokenHash: hashTicket(ticket), sealedContext })
    .execute();
  return { ticket };
}

/** Has something else happen to an attempt at the very moment that a return takes it. */
async function whenClaimed(api: TestApi, change: string): Promise<void> {
  await sql
    .raw(
      `CREATE TRIGGER meanwhile AFTER UPDATE OF state ON step_attempt WHEN NEW.state = 'checking'
    BEGIN UPDATE step_attempt SET ${change} WHERE id = NEW.id; END`,
    )
    .execute(api.db);
}
