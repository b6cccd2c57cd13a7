import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { readJws } from '#api/foundation/crypto/jws.ts';
import {
  generateSigningKey,
  readSigningKey,
  SignerBusy,
  SignerUnavailable,
} from '#api/foundation/crypto/signing-key.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { askForKey, verify } from '#api/test/product/key-calls.ts';
import { HWID, walkRun, WHO } from '#api/test/product/visitor-steps.ts';
import { verifyKey, verifyVerdict } from '../../../../samples/typescript/verify-key.mjs';

const DAY = 24 * 60 * 60 * 1000;
const NONCE = 'made-up_for-this-call';
const signingKey = readSigningKey(generateSigningKey('test-key'));

/** Reads a verdict as an app does: with the published keys. */
function read(verdict: unknown) {
  return readJws(String(verdict), 'verdict+jws', [signingKey.publicJwk]);
}

async function makeApiWithKey(): Promise<{ api: TestApi; key: string }> {
  const api = await createTestApi({ signingKey });
  await walkRun(api);
  const { key = '' } = await askForKey(api);
  return { api, key };
}

test('threat 52: the answer to a nonce contains a signed verdict for this key, device and app only', async () => {
  const { api, key } = await makeApiWithKey();

  const { verdict, ...answer } = await verify(api, key, { nonce: NONCE });

  expect(answer).toEqual(await verify(api, key));
  const [header = ''] = String(verdict).split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'EdDSA',
    kid: 'test-key',
    typ: 'verdict+jws',
  });
  expect(read(verdict)).toEqual({
    code: 'SIGNED',
    claims: {
      v: 1,
      nonce: NONCE,
      aud: 'main',
      sub: keySubject(HWID),
      key: createHash('sha256').update(key).digest('base64url'),
      code: 'VALID',
      exp: Number(answer['expiresAt']) / 1000,
      nbf: 9_999_999_999,
      iat: Math.floor(api.now() / 1000),
    },
  });
});

test('threat 52: a library that does not look at the type refuses a verdict as a key', async () => {
  const { api, key } = await makeApiWithKey();
  const { verdict } = await verify(api, key, { hwid: 'device-5678', nonce: NONCE });
  const check = (jws: string) =>
    jwtVerify(jws, createLocalJWKSet({ keys: [signingKey.publicJwk] }), {
      audience: 'main',
      currentDate: new Date(api.now()),
    });

  await expect(check(key)).resolves.toBeDefined();
  await expect(check(String(verdict))).rejects.toThrow('"nbf" claim timestamp check failed');
});

test('threat 52: a rejection of a key is also signed, for the requested device and app', async () => {
  const { api, key } = await makeApiWithKey();
  const claimsOf = async (given: string, asked: { hwid?: string; app?: string } = {}) =>
    read((await verify(api, given, { ...asked, nonce: NONCE }))['verdict']);
  const exp = Math.floor(api.now() / 1000) + DAY / 1000;

  expect(await claimsOf('no key')).toMatchObject({ claims: { code: 'SIGNATURE', exp: null } });
  expect(await claimsOf(key, { app: 'companion' })).toMatchObject({
    claims: { code: 'APP_MISMATCH', aud: 'companion' },
  });
  expect(await claimsOf(key, { hwid: 'device-5678' })).toMatchObject({
    claims: { code: 'DEVICE_MISMATCH', sub: keySubject('device-5678'), exp: expect.closeTo(exp, -2) as number },
  });
  await api.db.updateTable('accessKey').set({ revokedAt: api.now() }).execute();
  expect(await claimsOf(key)).toMatchObject({ claims: { code: 'REVOKED' } });
});

test.each([
  { what: 'a line break at the end, from a file', around: (text: string) => `${text}\n` },
  { what: 'white space and quotes around it', around: (text: string) => ` “${text}”\r\n` },
  { what: 'a byte order mark', around: (text: string) => `\uFEFF${text}` },
])('a verdict is for the key and device exactly as they were sent: with $what', async ({ around }) => {
  const { api, key } = await makeApiWithKey();
  const sent = { key: around(key), hwid: around(HWID) };

  const { verdict } = await verify(api, sent.key, { hwid: sent.hwid, nonce: NONCE });

  const jwks = { keys: [signingKey.publicJwk] };
  expect(await verifyVerdict({ verdict: String(verdict), nonce: NONCE, ...sent, jwks })).toMatchObject({
    code: 'VALID',
  });
});

test('threat 52: a verdict is not accepted as a key, nor a key as a verdict', async () => {
  const { api, key } = await makeApiWithKey();
  const verdict = String((await verify(api, key, { nonce: NONCE }))['verdict']);
  const jwks = { keys: [signingKey.publicJwk] };

  expect(await verify(api, verdict)).toMatchObject({ valid: false, code: 'SIGNATURE' });
  expect(await verifyKey({ key: verdict, hwid: HWID, jwks, now: api.now() / 1000 })).toEqual({ code: 'SIGNATURE' });
  expect(read(key)).toEqual({ code: 'SIGNATURE' });
});

test('a key check without a nonce returns no verdict', async () => {
  const { api, key } = await makeApiWithKey();

  expect(Object.keys(await verify(api, key)).sort()).toEqual(['app', 'code', 'expiresAt', 'now', 'valid']);
});

test.each([
  { what: 'too short', nonce: 'a'.repeat(15) },
  { what: 'too long', nonce: 'a'.repeat(65) },
  { what: 'no base64url', nonce: '<script>alert(1)</script>' },
  { what: 'a number', nonce: 1_234_567_890_123_456 },
  { what: 'null', nonce: null },
])('a nonce that is $what is rejected and not ignored', async ({ nonce }) => {
  const api = await createTestApi();

  expect(await verify(api, 'a.b.c', { nonce })).toMatchObject({ status: 400, code: 'request.invalid' });
});

test('without a signer a key check with a nonce fails, and one without a nonce succeeds', async () => {
  const api = await createTestApi({
    signingKey: { ...signingKey, sign: () => Promise.reject(new SignerUnavailable('It sleeps.')) },
  });

  const refused = await api.post('/api/key/verify', { key: 'a.b.c', hwid: HWID, nonce: NONCE });

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await verify(api, 'a.b.c')).toMatchObject({ code: 'SIGNATURE' });
  expect((await api.ask(`/api/key?${WHO}`)).status).toBe(200);
});

test('threat 52: an address is rate-limited to half of the verdicts that a signer gives in ten seconds', async () => {
  const api = await createTestApi({ signingKey, trustedHops: 1 });
  const check = async (nth: number, address: string, nonce?: string) => {
    const { status, headers } = await api.ask('/api/key/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ key: 'a.b.c', hwid: `device-${String(nth)}`, nonce }),
    });
    return [status, headers.get('retry-after')];
  };

  for (let nth = 1; nth <= 50; nth++) expect(await check(nth, '203.0.113.7', NONCE)).toEqual([200, null]);
  expect(await check(51, '203.0.113.7', NONCE)).toEqual([429, '10']);
  expect(await check(51, '203.0.113.7')).toEqual([200, null]);
  expect(await check(51, '203.0.113.8', NONCE)).toEqual([200, null]);

  api.pass(10_000);
  expect(await check(51, '203.0.113.7', NONCE)).toEqual([200, null]);
});

test('threat 52: a rejection by a busy signer is not reported as an error, and a failed verdict is', async () => {
  const refuseWith = async (error: Error) => {
    const api = await createTestApi({ signingKey: { ...signingKey, sign: () => Promise.reject(error) } });
    const { status } = await api.post('/api/key/verify', { key: 'a.b.c', hwid: HWID, nonce: NONCE });
    expect(status).toBe(503);
    return api.logged.some((line) => line.includes(error.message));
  };

  expect(await refuseWith(new SignerBusy('It has a lot to do.'))).toBe(false);
  expect(await refuseWith(new SignerUnavailable('It is gone.'))).toBe(true);
});
