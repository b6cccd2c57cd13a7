import { ERRORS } from '@app/contracts/errors';
import { expect, test } from 'vitest';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { askForKey, verify } from '#api/test/product/key-calls.ts';
import { HWID, walkRun, WHO } from '#api/test/product/visitor-steps.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { signKey, type KeyClaims } from './key-token.ts';

test('threat 21: a key copied to another device does not work there', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = await askForKey(api);

  expect(await verify(api, key)).toMatchObject({ valid: true, code: 'VALID', now: api.now() });
  expect(await verify(api, key, { hwid: 'device-5678' })).toMatchObject({ valid: false, code: 'DEVICE_MISMATCH' });
});

test('the server reads a key and a device id as a form got them: pasted from a chat, and wrapped', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key = '' } = await askForKey(api);

  expect(
    await verify(api, `“\`${key.slice(0, 70)}\r\n\u00a0${key.slice(70).replace('.', '\u200b.')}\`”\ufeff`, {
      hwid: ` <${HWID.replaceAll('-', '\u2011')}> `,
    }),
  ).toMatchObject({ valid: true, code: 'VALID' });
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
    how: 'said to be signed by an unknown key',
    edit: (key: string) => withHeader(key, { kid: 'foreign' }),
    code: 'UNKNOWN_KID',
  },
  { how: 'cut short', edit: (key: string) => key.slice(0, -1), code: 'SIGNATURE' },
])('threat 20: a key that was $how is refused by the server as $code', async ({ edit, code }) => {
  const api = await createTestApi({ nextSigningKey: readSigningKey(generateSigningKey('next-key')) });
  await walkRun(api);
  const { key = '' } = await askForKey(api);

  expect(await verify(api, edit(key))).toEqual({ valid: false, code, app: 'main', expiresAt: null, now: api.now() });
});

test('threat 20: a key that was signed with our key but not by us is refused, whatever id it takes', async () => {
  const signingKey = readSigningKey(generateSigningKey('test-key'));
  const api = await createTestApi({ signingKey });
  await walkRun(api);
  const { key = '' } = await askForKey(api);
  const claims = decode(key.split('.')[1] ?? '') as KeyClaims;

  expect(await verify(api, await signKey(signingKey, { ...claims, exp: claims.exp + 1_000_000 }))).toMatchObject({
    code: 'REVOKED',
  });
  expect(await verify(api, await signKey(signingKey, { ...claims, jti: 'made-up' }))).toMatchObject({
    code: 'REVOKED',
  });
  expect(await verify(api, key)).toMatchObject({ code: 'VALID' });
});

test.each([
  { why: 'no JSON object', body: 'key' },
  { why: 'a list as key', body: { key: ['a'], hwid: HWID } },
  { why: 'a malformed device', body: { key: 'a', hwid: '<script/>' } },
])('a question with $why is refused', async ({ body }) => {
  const api = await createTestApi();

  expect((await api.post('/api/key/verify', body)).status).toBe(400);
});

test('an app that nobody registered is refused', async () => {
  const api = await createTestApi();

  expect((await api.ask(`/api/key?${WHO}&app=other`)).status).toBe(404);
  for (const app of ['other', '../other'])
    expect((await api.post('/api/key/verify', { key: 'a', hwid: HWID, app })).status).toBe(404);
});

test.each([
  { why: 'no device', path: '/api/key', code: 'KS_HWID' },
  { why: 'a device given twice', path: '/api/key?hwid=device-1234&hwid=device-5678', code: 'KS_HWID' },
  { why: 'a malformed zone', path: '/api/key?hwid=device-1234&zone=%3C', code: 'KS_ZONE' },
  { why: 'an app given twice', path: '/api/key?hwid=device-1234&app=main&app=main', code: 'KS_APP' },
] as const)('a refusal for $why says what the time is and where it is explained', async ({ path, code }) => {
  const api = await createTestApi();

  expect(await (await api.ask(path)).json()).toMatchObject({
    status: ERRORS[code].status,
    code,
    type: `${api.origin}/errors#${code}`,
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
