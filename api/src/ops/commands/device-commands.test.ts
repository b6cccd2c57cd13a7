import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { openTerminal as open } from '#api/test/programs/open-terminal.ts';
import {
  HWID,
  passCaptcha,
  readState,
  requireLocation,
  walkRun,
  walkStep,
  ZONE,
} from '#api/test/product/visitor-steps.ts';

const DAY = 24 * 60 * 60 * 1000;

test('status shows the state of a device in both apps without its id', async () => {
  const { api, type, ask } = await open();
  await passCaptcha(api);
  await walkStep(api);
  await passCaptcha(api);
  await walkStep(api, { companion: true });

  expect(await ask('device', 'status', HWID)).toMatchObject([
    {
      app: 'main',
      block: null,
      key: null,
      run: { step: 2, of: 6 },
      attempts: [{ step: 1, advertiser: 'linkvertise', state: 'verified' }],
    },
    { app: 'companion', run: { step: 2, of: 3 } },
  ]);
  expect(await ask('device', 'status', HWID, '--app', 'companion')).toMatchObject([{ app: 'companion' }]);

  const { code, out } = await type('device', 'status', HWID);
  expect(code).toBe(0);
  expect(out).toMatch(
    /App main\n {2}device .* \(hwid .{6}…\)\n.*\n {2}block {5}none\n {2}run {7}step 2 of 6 on android, until .*Z/,
  );
  const { hwidHmac } = await api.db.selectFrom('device').select('hwidHmac').limit(1).executeTakeFirstOrThrow();
  for (const hidden of [HWID, ZONE, hwidHmac]) expect(out).not.toContain(hidden);
});

test('a device id with surrounding text from a chat is accepted', async () => {
  const { api, ask } = await open();
  await passCaptcha(api);
  await walkStep(api);

  expect(await ask('device', 'status', `\`${HWID.replaceAll('-', '\u2011')}\`\u200b`)).toMatchObject([{ app: 'main' }]);
});

test('status shows strikes and cooldowns', async () => {
  const { api, ask, type } = await open();
  await passCaptcha(api);
  for (let tries = 0; tries < 3; tries++) await walkStep(api, {}, 'wrong_proof');

  expect(await ask('device', 'status', HWID)).toMatchObject([
    {
      strikes: [{ code: 'KS_PROOF' }, { code: 'KS_PROOF' }, { code: 'KS_PROOF' }],
      cooldowns: [{ browser: null, network: expect.stringMatching(/^.{6}$/) as string }],
    },
  ]);
  expect((await type('device', 'status', HWID)).out).toMatch(/cooldown {2}until .*Z for network .{6}…/);
});

test('status shows a key as active, then as expired', async () => {
  const { api, type } = await open();
  await walkRun(api);

  expect((await type('device', 'status', HWID)).out).toMatch(/key {7}active, until/);
  api.pass(DAY);
  expect((await type('device', 'status', HWID)).out).toMatch(/key {7}expired, until/);
});

test('a block applies to every app at once, also to apps the device never used, until it expires', async () => {
  const { api, type, ask, listAudit } = await open();
  await passCaptcha(api);
  await walkStep(api);

  const { code, out } = await type('device', 'block', HWID, '--reason', 'shares keys', '--for', '2h');

  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^Blocked in main, companion, and sandbox until .*Z\.$/) as string,
  });
  expect(await readState(api)).toMatchObject({
    run: null,
    cooldown: { reason: 'KS_BLOCKED', until: api.now() + 2 * 60 * 60 * 1000 },
  });
  expect(await readState(api, { app: 'companion' })).toMatchObject({ cooldown: { reason: 'KS_BLOCKED' } });
  expect(requireLocation(await api.visit(`/api/keysystemv2?hwid=${HWID}&zone=${ZONE}`))).toContain('KS_BLOCKED');
  expect(await ask('device', 'status', HWID)).toMatchObject([
    { block: { reason: 'shares keys' } },
    { block: { reason: 'shares keys' } },
    { block: { reason: 'shares keys' } },
  ]);
  expect((await listAudit()).map(({ kind, code: what }) => `${kind} ${what}`)).toEqual([
    'device blocked',
    'run blocked',
    'device blocked',
    'device blocked',
  ]);
  expect((await listAudit())[0]?.detail).toContain('"by":"ada"');

  api.pass(2 * 60 * 60 * 1000);
  expect(await readState(api)).toMatchObject({ cooldown: null });
});

test('a block accepts one app, no end, an end date and another operator', async () => {
  const { api, type, ask, listAudit } = await open();
  await passCaptcha(api);
  await walkStep(api);

  expect((await type('device', 'block', HWID, '--reason', 'abuse', '--app', 'main', '--by', 'grace')).out).toBe(
    'Blocked in main for good.',
  );
  expect(await readState(api)).toMatchObject({ cooldown: { reason: 'KS_BLOCKED', until: null } });
  expect(await readState(api, { app: 'companion' })).toMatchObject({ cooldown: null });
  expect((await listAudit())[0]?.detail).toContain('"by":"grace"');

  await type('device', 'block', HWID, '--reason', 'abuse', '--until', '2100-01-02', '--app', 'main');
  expect(await ask('device', 'status', HWID)).toMatchObject([{ block: { until: Date.UTC(2100, 0, 2) } }]);
});

test('a block that would end at once is rejected', async () => {
  const { api, type, listAudit } = await open();
  const now = new Date(api.now()).toISOString();

  expect(await type('device', 'block', HWID, '--reason', 'abuse', '--until', now)).toMatchObject({ code: 2 });
  expect(await listAudit()).toEqual([]);
  expect(await readState(api)).toMatchObject({ cooldown: null });
});

test('unblock lifts a block and fails when there is none', async () => {
  const { api, say, type } = await open();
  await passCaptcha(api);
  await walkStep(api);
  await type('device', 'block', HWID, '--reason', 'abuse');

  expect(await say('device', 'unblock', HWID)).toEqual([0, 'Unblocked in sandbox, main, and companion.']);
  expect(await readState(api)).toMatchObject({ cooldown: null });
  expect(await say('device', 'unblock', HWID)).toEqual([1, 'This device is not blocked; nothing was changed.']);
});

test('export prints all rows of a device without secrets and identifiers', async () => {
  const { api, type } = await open();
  await walkRun(api);

  const { out } = await type('device', 'export', HWID);

  expect(JSON.parse(out)).toMatchObject([
    {
      device: { appId: 'main' },
      access_key: [{ jws: '(kept back)' }],
      run: [{ state: 'completed' }],
      captcha_pass: [{}],
    },
  ]);
  expect((JSON.parse(out) as [{ step_attempt: unknown[] }])[0].step_attempt).toHaveLength(6);
  const { jws } = await api.db.selectFrom('accessKey').select('jws').executeTakeFirstOrThrow();
  const { tokenHash, sealedContext } = await api.db
    .selectFrom('stepAttempt')
    .select(['tokenHash', 'sealedContext'])
    .limit(1)
    .executeTakeFirstOrThrow();
  for (const hidden of [HWID, ZONE, createPseudonyms(TEST_PEPPER).hwid(HWID), jws, tokenHash, sealedContext])
    expect(out).not.toContain(hidden);
});

test('erase removes all rows of a device and its key is rejected afterwards', async () => {
  const { api, say, type } = await open();
  await walkRun(api);
  const { jws } = await api.db.selectFrom('accessKey').select('jws').executeTakeFirstOrThrow();

  expect(await say('device', 'erase', HWID)).toEqual([0, 'Erased from main.']);

  expect(await say('device', 'status', HWID)).toEqual([
    1,
    'No device with this id has been here; nothing was changed.',
  ]);
  expect(await (await api.post('/api/key/verify', { key: jws, hwid: HWID })).json()).toMatchObject({ code: 'REVOKED' });
  expect(await type('audit', 'verify')).toMatchObject({ code: 0 });
});

test('a blocked device cannot be erased', async () => {
  const { api, say, type } = await open();
  await walkRun(api);
  await type('device', 'block', HWID, '--reason', 'abuse');

  expect(await say('device', 'erase', HWID)).toEqual([
    1,
    'This device is blocked, and erasing it would lift the block. Unblock it first.',
  ]);
  expect(await api.db.selectFrom('accessKey').select('jti').execute()).toHaveLength(1);
});

test.each([
  ['device', 'status'],
  ['device', 'block', '--reason', 'abuse'],
  ['device', 'unblock'],
  ['device', 'export'],
  ['device', 'erase'],
  ['key', 'revoke', '--reason', 'abuse'],
])('%s %s rejects a malformed device id', async (...argv) => {
  const { api, say } = await open();

  expect(await say(...argv, 'device-unheard-of')).toEqual([
    1,
    'No device with this id has been here; nothing was changed.',
  ]);
  expect(await api.db.selectFrom('device').select('id').execute()).toEqual([]);
});
