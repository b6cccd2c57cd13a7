import { ERRORS } from '@app/contracts/errors';
import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { askForKey, verify } from '#api/test/product/key-calls.ts';
import { HWID, walkRun, WHO } from '#api/test/product/visitor-steps.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { signKey, type KeyClaims } from './key-token.ts';

test('a key and a device id pasted from a chat are normalized', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key = '' } = await askForKey(api);

  expect(
    await verify(api, `“\`${key.slice(0, 70)}\r\n\u00a0${key.slice(70).replace('.', '\u200b.')}\`”\ufeff`, {
      hwid: ` <${HWID.replaceAll('-', '\u2011')}> `,
    }),
  ).toMatchObject({ valid: true, code: 'VALID' });
});

test('a key of one app is APP_MISMATCH in another, and the app defaults to main', async () => {
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

test('threat 20: a signed key that is not stored is REVOKED', async () => {
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
])('a key check with $why is rejected with 400', async ({ body }) => {
  const api = await createTestApi();

  expect((await api.post('/api/key/verify', body)).status).toBe(400);
});

test('a key check with an unknown app is rejected with 404', async () => {
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
] as const)('a rejection for $why has the time and the address of its documentation', async ({ path, code }) => {
  const api = await createTestApi();

  expect(await (await api.ask(path)).json()).toMatchObject({
    status: ERRORS[code].status,
    code,
    type: `${api.origin}/errors#${code}`,
    now: api.now(),
  });
});

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object;
}
