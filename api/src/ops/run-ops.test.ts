import { expect, test } from 'vitest';
import { createAdvertisersRepository } from '#api/features/advertisers/advertisers.repository.ts';
import { createPseudonyms } from '#api/features/devices/pseudonyms.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { openTerminal as open } from '#api/test/open-terminal.ts';
import { HWID, passCaptcha, readState, requireLocation, walkRun, walkStep, ZONE } from '#api/test/visitor-steps.ts';

const DAY = 24 * 60 * 60 * 1000;

test('status tells where a device stands in both apps, and never its id', async () => {
  const { api, type, ask } = await open();
  await passCaptcha(api);
  await walkStep(api);
  await passCaptcha(api);
  await walkStep(api, { companion: true });

  expect(await ask('key', 'status', HWID)).toMatchObject([
    {
      app: 'main',
      block: null,
      key: null,
      run: { step: 2, of: 6 },
      attempts: [{ step: 1, advertiser: 'linkvertise', state: 'verified' }],
    },
    { app: 'companion', run: { step: 2, of: 3 } },
  ]);
  expect(await ask('key', 'status', HWID, '--app', 'companion')).toMatchObject([{ app: 'companion' }]);

  const { code, out } = await type('key', 'status', HWID);
  expect(code).toBe(0);
  expect(out).toMatch(
    /App main\n {2}device .* \(hwid .{6}…\)\n.*\n {2}block {5}none\n {2}run {7}step 2 of 6 on android, until .*Z/,
  );
  const { hwidHmac } = await api.db.selectFrom('device').select('hwidHmac').limit(1).executeTakeFirstOrThrow();
  for (const hidden of [HWID, ZONE, hwidHmac]) expect(out).not.toContain(hidden);
});

test('status shows strikes, and for whom they have become a cooldown', async () => {
  const { api, ask, type } = await open();
  await passCaptcha(api);
  for (let tries = 0; tries < 3; tries++) await walkStep(api, {}, 'wrong_proof');

  expect(await ask('key', 'status', HWID)).toMatchObject([
    {
      strikes: [{ code: 'KS_PROOF' }, { code: 'KS_PROOF' }, { code: 'KS_PROOF' }],
      cooldowns: [{ browser: null, network: expect.stringMatching(/^.{6}$/) as string }],
    },
  ]);
  expect((await type('key', 'status', HWID)).out).toMatch(/cooldown {2}until .*Z for network .{6}…/);
});

test('status shows a key, and that it is over', async () => {
  const { api, type } = await open();
  await walkRun(api);

  expect((await type('key', 'status', HWID)).out).toMatch(/key {7}active, until/);
  api.pass(DAY);
  expect((await type('key', 'status', HWID)).out).toMatch(/key {7}expired, until/);
});

test('a block keeps a device out of both apps at once, also out of the one it never visited, until its time', async () => {
  const { api, type, ask, listAudit } = await open();
  await passCaptcha(api);
  await walkStep(api);

  const { code, out } = await type('key', 'block', HWID, '--reason', 'shares keys', '--for', '2h');

  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^Blocked in main and companion until .*Z\.$/) as string,
  });
  expect(await readState(api)).toMatchObject({
    run: null,
    cooldown: { reason: 'KS_BLOCKED', until: api.now() + 2 * 60 * 60 * 1000 },
  });
  expect(await readState(api, { app: 'companion' })).toMatchObject({ cooldown: { reason: 'KS_BLOCKED' } });
  expect(requireLocation(await api.visit(`/api/keysystemv2?hwid=${HWID}&zone=${ZONE}`))).toContain('KS_BLOCKED');
  expect(await ask('key', 'status', HWID)).toMatchObject([
    { block: { reason: 'shares keys' } },
    { block: { reason: 'shares keys' } },
  ]);
  expect((await listAudit()).map(({ kind, code: what }) => `${kind} ${what}`)).toEqual([
    'device blocked',
    'run blocked',
    'device blocked',
  ]);
  expect((await listAudit())[0]?.detail).toContain('"by":"ada"');

  api.pass(2 * 60 * 60 * 1000);
  expect(await readState(api)).toMatchObject({ cooldown: null });
});

test('a block can be for one app, for good, until a date, and by somebody else', async () => {
  const { api, type, ask, listAudit } = await open();
  await passCaptcha(api);
  await walkStep(api);

  expect((await type('key', 'block', HWID, '--reason', 'abuse', '--app', 'main', '--by', 'grace')).out).toBe(
    'Blocked in main for good.',
  );
  expect(await readState(api)).toMatchObject({ cooldown: { reason: 'KS_BLOCKED', until: null } });
  expect(await readState(api, { app: 'companion' })).toMatchObject({ cooldown: null });
  expect((await listAudit())[0]?.detail).toContain('"by":"grace"');

  await type('key', 'block', HWID, '--reason', 'abuse', '--until', '2100-01-02', '--app', 'main');
  expect(await ask('key', 'status', HWID)).toMatchObject([{ block: { until: Date.UTC(2100, 0, 2) } }]);
});

test('unblock takes a block back, and says so when there is none', async () => {
  const { api, type } = await open();
  await passCaptcha(api);
  await walkStep(api);
  await type('key', 'block', HWID, '--reason', 'abuse');

  expect(await type('key', 'unblock', HWID)).toMatchObject({ code: 0, out: 'Unblocked in main and companion.' });
  expect(await readState(api)).toMatchObject({ cooldown: null });
  expect(await type('key', 'unblock', HWID)).toEqual({
    code: 1,
    out: '',
    err: 'This device is not blocked; nothing was changed.',
  });
});

test('revoke ends a key by its jti or by its device, once', async () => {
  const { api, type, listAudit } = await open();
  await walkRun(api);
  await walkRun(api, { hwid: 'device-5678' });
  const keys = await api.db
    .selectFrom('accessKey')
    .innerJoin('device', 'device.id', 'accessKey.deviceId')
    .select(['jti', 'jws', 'hwidHmac'])
    .execute();
  const first = keys.find(({ hwidHmac }) => hwidHmac === createPseudonyms(TEST_PEPPER).hwid(HWID));
  const verify = async (jws = '', hwid = HWID) =>
    ((await (await api.post('/api/key/verify', { key: jws, hwid })).json()) as { code: string }).code;
  expect(await verify(first?.jws)).toBe('VALID');

  expect(await type('key', 'revoke', first?.jti ?? '', '--reason', 'sold')).toMatchObject({
    code: 0,
    out: `Revoked ${first?.jti ?? ''} of the main app.`,
  });
  expect(await verify(first?.jws)).toBe('REVOKED');
  expect(await type('key', 'revoke', first?.jti ?? '', '--reason', 'sold')).toMatchObject({
    code: 1,
    err: 'This key is revoked already; nothing was changed.',
  });

  const second = keys.find((key) => key !== first);
  expect(await verify(second?.jws, 'device-5678')).toBe('VALID');
  expect(await type('key', 'revoke', 'device-5678', '--reason', 'sold')).toMatchObject({ code: 0 });
  expect(await verify(second?.jws, 'device-5678')).toBe('REVOKED');
  expect(await type('key', 'revoke', 'device-5678', '--reason', 'sold')).toMatchObject({
    code: 1,
    err: 'This device has no key that works; nothing was changed.',
  });
  expect(await listAudit()).toHaveLength(2);
});

test('an advertiser can be turned off and on, and the list says so, as well as whether it answers', async () => {
  const { api, type, listAudit } = await open();
  await createAdvertisersRepository(api.db).noteFailing('rinku', Date.UTC(2026, 10, 21, 12));

  expect(await type('key', 'advertisers', 'off', 'workink', '--by', 'grace')).toMatchObject({
    code: 0,
    out: 'Work.ink is off.',
  });
  expect((await type('key', 'advertisers')).out).toMatch(
    /^advertiser {3}is {3}health +proof .*\n(.*\n)*workink {6}off {2}well +token {7}15 s$/m,
  );
  expect((await type('key', 'advertisers')).out).toContain('failing since 2026-11-21 12:00:00Z');
  expect(await readState(api)).toMatchObject({
    advertisers: expect.arrayContaining([{ id: 'workink', ok: false }]) as unknown,
  });
  expect(await type('key', 'advertisers', 'off', 'workink')).toMatchObject({
    code: 1,
    err: 'Work.ink is off already; nothing was changed.',
  });

  expect(await type('key', 'advertisers', 'on', 'workink')).toMatchObject({ code: 0, out: 'Work.ink is on.' });
  expect(await readState(api)).toMatchObject({
    advertisers: expect.arrayContaining([{ id: 'workink', ok: true }]) as unknown,
  });
  expect((await listAudit()).map(({ code, detail }) => `${code} ${detail}`)).toEqual([
    'disabled {"advertiser":"workink","by":"grace"}',
    'enabled {"advertiser":"workink","by":"ada"}',
  ]);
});

test('export gives all rows of a device, and nothing that opens anything or names it', async () => {
  const { api, type } = await open();
  await walkRun(api);

  const { out } = await type('key', 'export', HWID);

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

test('erase leaves nothing of a device, and its key no longer works', async () => {
  const { api, type } = await open();
  await walkRun(api);
  const { jws } = await api.db.selectFrom('accessKey').select('jws').executeTakeFirstOrThrow();

  expect(await type('key', 'erase', HWID)).toMatchObject({ code: 0, out: 'Erased from main.' });

  expect(await type('key', 'status', HWID)).toMatchObject({
    code: 1,
    err: 'No device with this id has been here; nothing was changed.',
  });
  expect(await (await api.post('/api/key/verify', { key: jws, hwid: HWID })).json()).toMatchObject({ code: 'REVOKED' });
  expect(await type('audit', 'verify')).toMatchObject({ code: 0 });
});

test('erasing is no way out of a block', async () => {
  const { api, type } = await open();
  await walkRun(api);
  await type('key', 'block', HWID, '--reason', 'abuse');

  expect(await type('key', 'erase', HWID)).toMatchObject({
    code: 1,
    err: 'This device is blocked, and erasing it would lift the block. Unblock it first.',
  });
  expect(await api.db.selectFrom('accessKey').select('jti').execute()).toHaveLength(1);
});

test('the keys that sign are listed, without their private halves', async () => {
  const { api, type, ask } = await open();

  expect(await ask('key', 'keys')).toMatchObject([{ kid: 'test-key', alg: 'EdDSA', status: 'active', notAfter: null }]);
  expect((await type('key', 'keys')).out).toMatch(/^kid .*\ntest-key {2}EdDSA {6}active {2}\d{4}-/);

  await api.db.updateTable('signingKey').set({ notAfter: 9e15 }).execute();
  expect(await type('key', 'keys')).toMatchObject({
    code: 0,
    out: expect.stringContaining('9000000000000000') as string,
  });
});

test('keys that the settings name are rotated by the settings', async () => {
  const { type } = await open();

  expect(await type('key', 'rotate')).toMatchObject({
    code: 1,
    err: expect.stringContaining('NEXT_SIGNING_KEY_FILE') as string,
  });
});

test.each([
  { argv: ['key', 'status', 'unknown-device'] },
  { argv: ['key', 'block', 'unknown-device', '--reason', 'abuse'] },
  { argv: ['key', 'unblock', 'unknown-device'] },
  { argv: ['key', 'revoke', 'unknown-device', '--reason', 'abuse'] },
  { argv: ['key', 'export', 'unknown-device'] },
  { argv: ['key', 'erase', 'unknown-device'] },
])('a mistyped device changes nothing: $argv.0 $argv.1', async ({ argv }) => {
  const { api, type } = await open();
  await walkRun(api);
  const before = await api.db.selectFrom('device').selectAll().execute();

  expect(await type(...argv)).toEqual({
    code: 1,
    out: '',
    err: 'No device with this id has been here; nothing was changed.',
  });

  expect(await api.db.selectFrom('device').selectAll().execute()).toEqual(before);
});

test.each([
  { argv: ['key', 'blok', HWID], said: 'There is no command "key blok".' },
  {
    argv: ['key', 'block'],
    said: 'Usage: key block <hwid> --reason <text> [--until <date>] [--for <30m|12h|7d>] [--app main|companion] [--by <name>]',
  },
  { argv: ['key', 'block', HWID, 'more', '--reason', 'abuse'], said: 'Usage: key block <hwid> --reason' },
  { argv: ['key', 'block', HWID], said: '--reason is needed' },
  { argv: ['key', 'block', HWID, '--reason', ' '], said: '--reason is one line' },
  { argv: ['key', 'block', HWID, '--reason', 'a\nb'], said: '--reason is one line' },
  { argv: ['key', 'block', HWID, '--reason', 'abuse', '--for', '2 hours'], said: '--for is a number of minutes' },
  {
    argv: ['key', 'block', HWID, '--reason', 'abuse', '--for', '2h', '--until', '2100-01-01'],
    said: '--until and --for say the same',
  },
  { argv: ['key', 'block', HWID, '--reason', 'abuse', '--until', 'tomorrow'], said: '--until is a date' },
  { argv: ['key', 'block', HWID, '--reason', 'abuse', '--until', '2001-01-01'], said: '--until lies in the past' },
  { argv: ['key', 'block', HWID, '--reason', 'abuse', '--app', 'v5'], said: '--app is main or companion' },
  { argv: ['key', 'block', HWID, '--reason', 'abuse', '--force'], said: "Unknown option '--force'" },
  { argv: ['key', 'status', HWID, '--reason', 'abuse'], said: 'key status does not take --reason.' },
  { argv: ['key', 'status', '<script>'], said: '"<script>" cannot be a device id' },
  { argv: ['key', 'advertisers', 'off', 'adfly'], said: '"adfly" is none of linkvertise, rinku, lootlabs, workink.' },
  { argv: ['audit', 'tail', '--lines', '0'], said: '--lines is a number' },
])('what makes no sense is refused: $said', async ({ argv, said }) => {
  const { api, type } = await open();
  await passCaptcha(api);
  await walkStep(api);

  const { code, out, err } = await type(...argv);

  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(said);
  expect(err).toContain('npm run ops -- help lists the commands.');
  expect(await readState(api)).toMatchObject({ cooldown: null, run: { step: 2 } });
});

test('a PostgreSQL is backed up and restored with its own programs', async () => {
  const { type } = await open();

  expect(await type('backup', '/nowhere/copy')).toMatchObject({
    code: 1,
    err: expect.stringContaining('pg_dump') as string,
  });
  expect(await type('restore', '/nowhere/copy')).toMatchObject({
    code: 1,
    err: 'There is no /nowhere/copy; nothing was changed.',
  });
});

test.each(['', 'help', '--help', 'key block --help'])('every command is listed by "%s"', async (line) => {
  const { type } = await open();

  const { code, out } = await type(...line.split(' ').filter(Boolean));

  expect(code).toBe(0);
  for (const name of [
    'key status',
    'key block',
    'key unblock',
    'key revoke',
    'key keys',
    'key advertisers',
    'key export',
    'key erase',
    'audit verify',
    'audit tail',
    'backup',
    'restore',
  ]) {
    expect(out).toContain(`\n  ${name}`);
  }
});
