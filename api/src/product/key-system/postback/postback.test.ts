import { expect, test, vi } from 'vitest';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { leaveForLootlabs } from '#api/test/product/leave-for-lootlabs.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import {
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  WHO,
} from '#api/test/product/visitor-steps.ts';
import { creditConfirmed } from '#api/product/key-system/sweep-runs.ts';

const SECRET = exampleSettings.lootlabs.postbackSecret;
const QUARTER_MS = 15 * 60_000;

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
  { why: 'an unknown click', query: { click_id: 'unknown' }, secret: SECRET, status: 404 },
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
  { why: 'without a click', query: '?unique_id=task-of-a-visitor', fields: ['click_id'] },
  { why: 'with a task twice', query: '?click_id=c&unique_id=task-of-a-visitor&unique_id=b', fields: ['unique_id'] },
  { why: 'with nothing', query: '', fields: ['click_id', 'unique_id'] },
  { why: 'with no more than other names', query: '?click=task-of-a-visitor&id=1', fields: ['click_id', 'unique_id'] },
])(
  'a call with the right secret $why is a warning that names the fields, and nothing else',
  async ({ query, fields }) => {
    const { api } = await leaveForLootlabs();
    const before = api.logged.length;

    expect((await api.ask(`/api/keysystem/postback/${SECRET}${query}`)).status).toBe(400);
    expect((await api.ask(`/api/keysystem/postback/another-long-enough-word-1234${query}`)).status).toBe(403);

    await vi.waitFor(() => expect(api.logged).toHaveLength(before + 3));
    const lines = api.logged.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ msg }) => msg !== 'request')).toMatchObject([
      { level: 40, msg: 'postback not readable', fields },
    ]);
    for (const hidden of [SECRET, 'task-of-a-visitor']) expect(api.logged.join()).not.toContain(hidden);
  },
);

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

test('threat 10: a call after the run’s own time brings no step, though it is still stored as open', async () => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);
  await api.db.updateTable('run').set({ expiresAt: api.now() }).execute();
  await postBack({});

  expect(await api.db.selectFrom('run').select('step').execute()).toEqual([{ step: 1 }]);
});

test('threat 10: LootLabs’ call for a visit to another advertiser is refused and changes nothing', async () => {
  const { api, postBack } = await leaveForLootlabs();
  await clickComplete(api, { advertiser: 'linkvertise' });
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
  const second = new URL(await clickComplete(api, { advertiser: 'lootlabs', step: 2 })).searchParams.get('puid') ?? '';
  api.pass(LONG_ENOUGH_MS);

  expect((await postBack({ click_id: second })).status).toBe(200);
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('a call before a person could be through is noted, and counts when the visitor comes back', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  const address = await finishAtAdvertiser(api, await clickComplete(api, { advertiser: 'lootlabs' }));
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });

  api.pass(LONG_ENOUGH_MS);
  expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=lootlabs`);
});

test('a call before a person could be through counts when its time has come, though no visitor comes back', async () => {
  const { api, postBack } = await leaveForLootlabs();
  await postBack({});
  await creditConfirmed(api.keySystem, 10);
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: false } });

  api.pass(LONG_ENOUGH_MS);
  await creditConfirmed(api.keySystem, 10);
  expect(await readState(api)).toMatchObject({ run: { step: 2, completed: [{ step: 1, advertiser: 'lootlabs' }] } });

  expect(await (await postBack({})).text()).toBe('ok');
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('a visitor who comes back after the early postback was credited goes on to the next step', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  const address = await finishAtAdvertiser(api, await clickComplete(api, { advertiser: 'lootlabs' }));
  api.pass(LONG_ENOUGH_MS);
  await creditConfirmed(api.keySystem, 10);

  expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=lootlabs`);
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});

test('T3c: a visitor who is back before the call waits on the step’s page, and the call moves it on', async () => {
  const { api, postBack } = await leaveForLootlabs();
  api.pass(LONG_ENOUGH_MS);
  await api.db.updateTable('stepAttempt').set({ state: 'awaiting_postback' }).execute();
  expect(await readState(api)).toMatchObject({ run: { step: 1, waiting: true } });

  await postBack({});

  expect(await readState(api)).toMatchObject({ run: { step: 2, waiting: false } });
});
