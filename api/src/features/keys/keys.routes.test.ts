import { expect, test } from 'vitest';
import { keySubject } from '#api/features/devices/pseudonyms.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { HWID, passCaptcha, walkRun, walkStep } from '#api/test/visitor-steps.ts';
import { readKey, signKey, type KeyClaims } from './key-token.ts';
import { generateSigningKey, readSigningKey, type PublicJwk, type SigningKey } from '#api/crypto/signing-key.ts';

const WHO = 'hwid=device-1234&zone=zone-1';
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

async function askForKey(api: TestApi, query = WHO): Promise<{ status: string; key?: string }> {
  return (await (await api.ask(`/api/key?${query}`)).json()) as { status: string; key?: string };
}

async function verify(
  api: TestApi,
  key: string | undefined,
  { hwid = HWID, ...app }: { hwid?: string; app?: string } = {},
): Promise<Record<string, unknown>> {
  return (await (await api.post('/api/key/verify', { key, hwid, ...app })).json()) as Record<string, unknown>;
}

test('on the way the app is told how far its run is', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  await walkStep(api);

  expect(await askForKey(api)).toEqual({ status: 'in_progress', step: 2, of: 6, app: 'main', now: api.now() });
});

test('a key is given to the zone its run was made in, and to no other', async () => {
  const api = await createTestApi();
  await walkRun(api);

  expect(await askForKey(api)).toMatchObject({ status: 'active' });
  const otherZone = { status: 'none', reason: 'zone', app: 'main', now: api.now() };
  expect(await askForKey(api, 'hwid=device-1234&zone=zone-2')).toEqual(otherZone);
  expect(await askForKey(api, 'hwid=device-1234')).toEqual(otherZone);
});

test('an app that asks for another app’s key is told for which app there is none', async () => {
  const api = await createTestApi();
  await walkRun(api, { companion: true });

  expect(await askForKey(api)).toEqual({ status: 'none', app: 'main', now: api.now() });
  expect(await askForKey(api, `${WHO}&app=companion`)).toMatchObject({
    status: 'active',
    app: 'companion',
    now: api.now(),
  });
});

test('a zone is no reason once the key is over', async () => {
  const api = await createTestApi();
  await walkRun(api);

  api.pass(DAY);

  expect(await askForKey(api, 'hwid=device-1234&zone=zone-2')).toEqual({ status: 'none', app: 'main', now: api.now() });
});

test('a run without a zone gives its key to whoever knows the device', async () => {
  const api = await createTestApi();
  await walkRun(api, { zone: '' });

  expect(await askForKey(api, 'hwid=device-1234&zone=zone-2')).toMatchObject({ status: 'active' });
});

test('after 24 hours the key is over, and says so', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = await askForKey(api);

  api.pass(DAY);

  expect(await askForKey(api)).toEqual({ status: 'none', app: 'main', now: api.now() });
  expect(await verify(api, key)).toMatchObject({ valid: false, code: 'EXPIRED' });
});

test('row 21: a key copied to another device does not work there', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = await askForKey(api);

  expect(await verify(api, key)).toMatchObject({ valid: true, code: 'VALID', now: api.now() });
  expect(await verify(api, key, { hwid: 'device-5678' })).toMatchObject({ valid: false, code: 'DEVICE_MISMATCH' });
});

test('a key of one app does not work in the other, and an app that names none is the main one', async () => {
  const api = await createTestApi();
  await walkRun(api, { companion: true });
  const { key } = await askForKey(api, `${WHO}&app=companion`);

  expect(await verify(api, key, { app: 'companion' })).toMatchObject({ valid: true, code: 'VALID', app: 'companion' });
  expect(await verify(api, key)).toMatchObject({ valid: false, code: 'APP_MISMATCH', app: 'main' });
  expect(await verify(api, key, { app: 'main' })).toMatchObject({ valid: false, code: 'APP_MISMATCH', app: 'main' });

  await walkRun(api);
  const { key: mainKey } = await askForKey(api);
  expect(await verify(api, mainKey, { app: 'companion' })).toMatchObject({
    valid: false,
    code: 'APP_MISMATCH',
    app: 'companion',
  });
  expect(await verify(api, mainKey)).toMatchObject({ valid: true, app: 'main' });
});

test('a revoked key is revoked everywhere', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = await askForKey(api);
  await api.db.updateTable('accessKey').set({ revokedAt: api.now() }).execute();

  expect(await verify(api, key)).toMatchObject({ valid: false, code: 'REVOKED' });
  expect(await askForKey(api)).toMatchObject({ status: 'none' });
});

test('an app can check a key by itself with the published keys', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key = '' } = await askForKey(api);

  const res = await api.ask('/.well-known/jwks.json');
  const { keys } = (await res.json()) as { keys: PublicJwk[] };

  expect(res.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(readKey(key, { keys, app: 'main', subject: keySubject(HWID), now: api.now() }).code).toBe('VALID');
  expect(JSON.stringify(keys)).not.toContain('"d"');
});

test('a key signed before the signing key changed stays valid', async () => {
  const [first, second] = ['first-key', 'second-key'].map((kid) => readSigningKey(generateSigningKey(kid))) as [
    SigningKey,
    SigningKey,
  ];
  const before = await createTestApi({ signingKey: first, nextSigningKey: second });
  before.pass(DAY - HOUR);
  await walkRun(before);
  const { key } = await askForKey(before);

  const after = await createTestApi({ db: before.db, signingKey: second, startAt: before.now() + HOUR });

  expect(await verify(after, key)).toMatchObject({ code: 'VALID' });
  const { keys } = (await (await after.ask('/.well-known/jwks.json')).json()) as { keys: PublicJwk[] };
  expect(keys.map(({ kid }) => kid).sort()).toEqual(['first-key', 'second-key']);
});

test('the key that is to sign next is published, and signs nothing yet', async () => {
  const next = readSigningKey(generateSigningKey('next-key'));
  const api = await createTestApi({ nextSigningKey: next });
  await walkRun(api);

  const { keys } = (await (await api.ask('/.well-known/jwks.json')).json()) as { keys: PublicJwk[] };
  expect(keys.map(({ kid }) => kid).sort()).toEqual(['next-key', 'test-key']);
  const { key = '' } = await askForKey(api);
  expect(readHeader(key)).toMatchObject({ kid: 'test-key' });
});

test('after an emergency a key signed before is worth nothing, and its device may earn another at once', async () => {
  const before = await createTestApi();
  await walkRun(before);
  const { key } = await askForKey(before);

  const signingKey = readSigningKey(generateSigningKey('new-key'));
  const after = await createTestApi({ db: before.db, signingKey, emergencyKid: 'new-key', startAt: before.now() });

  expect(await verify(after, key)).toMatchObject({ code: 'UNKNOWN_KID' });
  expect(await askForKey(after)).toMatchObject({ status: 'none' });
  await walkRun(after);
  const { key: newKey } = await askForKey(after);
  expect(await verify(after, newKey)).toMatchObject({ code: 'VALID' });
});

test.each([
  { how: 'edited', edit: (key: string) => withClaims(key, { exp: 4_000_000_000 }), code: 'SIGNATURE' },
  {
    how: 'made out to another device',
    edit: (key: string) => withClaims(key, { sub: keySubject('device-5678') }),
    code: 'SIGNATURE',
  },
  { how: 'said to need no signature', edit: (key: string) => withHeader(key, { alg: 'none' }), code: 'SIGNATURE' },
  { how: 'said to be signed by HS256', edit: (key: string) => withHeader(key, { alg: 'HS256' }), code: 'SIGNATURE' },
  {
    how: 'said to be signed by a key of ours that did not',
    edit: (key: string) => withHeader(key, { kid: 'next-key' }),
    code: 'SIGNATURE',
  },
  {
    how: 'said to be signed by a key that nobody knows',
    edit: (key: string) => withHeader(key, { kid: 'foreign' }),
    code: 'UNKNOWN_KID',
  },
  { how: 'cut short', edit: (key: string) => key.slice(0, -1), code: 'SIGNATURE' },
])('row 20: a key that was $how is refused by the server as $code', async ({ edit, code }) => {
  const api = await createTestApi({ nextSigningKey: readSigningKey(generateSigningKey('next-key')) });
  await walkRun(api);
  const { key = '' } = await askForKey(api);

  expect(await verify(api, edit(key))).toEqual({ valid: false, code, app: 'main', expiresAt: null, now: api.now() });
});

test('row 20: a key that was signed with our key but not by us is refused, whatever id it takes', async () => {
  const signingKey = readSigningKey(generateSigningKey('test-key'));
  const api = await createTestApi({ signingKey });
  await walkRun(api);
  const { key = '' } = await askForKey(api);
  const claims = decode(key.split('.')[1] ?? '') as KeyClaims;

  expect(await verify(api, signKey(signingKey, { ...claims, exp: claims.exp + 1_000_000 }))).toMatchObject({
    code: 'REVOKED',
  });
  expect(await verify(api, signKey(signingKey, { ...claims, jti: 'made-up' }))).toMatchObject({ code: 'REVOKED' });
  expect(await verify(api, key)).toMatchObject({ code: 'VALID' });
});

test.each([
  { why: 'no JSON object', body: 'key' },
  { why: 'a list as key', body: { key: ['a'], hwid: HWID } },
  { why: 'a malformed device', body: { key: 'a', hwid: '<script>' } },
  { why: 'an app that we do not have', body: { key: 'a', hwid: HWID, app: 'other' } },
])('a question with $why is refused', async ({ body }) => {
  const api = await createTestApi();

  expect((await api.post('/api/key/verify', body)).status).toBe(400);
});

test('an app that we do not have is refused', async () => {
  const api = await createTestApi();

  expect((await api.ask(`/api/key?${WHO}&app=other`)).status).toBe(400);
});

test.each([
  { why: 'no device', path: '/api/key', code: 'KS_HWID' },
  { why: 'a device given twice', path: '/api/key?hwid=device-1234&hwid=device-5678', code: 'KS_HWID' },
  { why: 'a malformed zone', path: '/api/key?hwid=device-1234&zone=%3C', code: 'KS_ZONE' },
  { why: 'an app that we do not have', path: '/api/key?hwid=device-1234&app=other', code: 'request.invalid' },
])('a refusal for $why says what the time is and where it is explained', async ({ path, code }) => {
  const api = await createTestApi();

  expect(await (await api.ask(path)).json()).toMatchObject({
    status: 400,
    code,
    type: `/errors#${code}`,
    now: api.now(),
  });
});

function withHeader(key: string, changes: object): string {
  const [, payload = '', signature = ''] = key.split('.');
  return [encode({ ...readHeader(key), ...changes }), payload, signature].join('.');
}

function withClaims(key: string, changes: object): string {
  const [header = '', payload = '', signature = ''] = key.split('.');
  return [header, encode({ ...decode(payload), ...changes }), signature].join('.');
}

function readHeader(key: string): object {
  return decode(key.split('.')[0] ?? '');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object;
}
