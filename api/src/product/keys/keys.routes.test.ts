import type { RunState } from '@app/contracts/key-system-schemas';
import { expect, test } from 'vitest';
import { createVisitorCookie } from '#api/foundation/visitors/client-identity.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { askForKey, verify } from '#api/test/product/key-calls.ts';
import { HWID, walkRun } from '#api/test/product/visitor-steps.ts';
import { type PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { readKey } from './key-token.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a key is given only to the zone of its run', async () => {
  const api = await createTestApi();
  await walkRun(api);

  expect(await askForKey(api)).toMatchObject({ status: 'active' });
  const otherZone = { status: 'none', reason: 'zone', app: 'main', now: api.now() };
  expect(await askForKey(api, 'hwid=device-1234&zone=zone-2')).toEqual(otherZone);
  expect(await askForKey(api, 'hwid=device-1234')).toEqual(otherZone);
});

test('the state says from the first call of the app on that the key is fetched; a call of a page does not count', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const isFetched = async () => {
    await api.site.background.drain(1000);
    const res = await api.ask(`/api/keysystem/state?hwid=${HWID}&zone=zone-1`);
    return ((await res.json()) as RunState).key?.isFetched;
  };
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    api.ask(`/api/key?hwid=${HWID}&zone=zone-1`, { method, headers });
  const { header } = createVisitorCookie(TEST_PEPPER).make(api.now());

  await ask({ 'sec-fetch-site': 'same-origin' });
  await ask({ 'sec-fetch-site': 'cross-site' });
  await ask({ cookie: header });
  await ask({ origin: 'https://other.example' });
  await ask({ referer: 'https://other.example/' });
  await ask({ purpose: 'prefetch' });
  for (const accept of ['text/html,*/*;q=0.8', 'image/avif,*/*']) await ask({ accept });
  await ask({}, 'HEAD');
  expect(await isFetched()).toBe(false);

  await ask();
  const first = api.now();
  api.pass(1000);
  await ask();
  expect(await isFetched()).toBe(true);
  expect(await api.db.selectFrom('accessKey').select('fetchedAt').execute()).toEqual([{ fetchedAt: first }]);
});

test('a key is reported as expired after 24 hours', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = await askForKey(api);

  api.pass(DAY);

  expect(await askForKey(api)).toEqual({ status: 'none', app: 'main', now: api.now() });
  expect(await verify(api, key)).toMatchObject({ valid: false, code: 'EXPIRED' });
});

test('a key can be verified with the published keys', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key = '' } = await askForKey(api);

  const res = await api.ask('/.well-known/jwks.json');
  const { keys } = (await res.json()) as { keys: PublicJwk[] };

  expect(res.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(res.headers.get('content-type')).toBe('application/jwk-set+json; charset=utf-8');
  expect(res.headers.get('access-control-allow-origin')).toBe('*');
  expect(readKey(key, { keys, app: 'main', subject: keySubject(HWID), now: api.now() }).code).toBe('VALID');
  expect(JSON.stringify(keys)).not.toContain('"d"');
});

test('the next signing key is published before it signs', async () => {
  const next = readSigningKey(generateSigningKey('next-key'));
  const api = await createTestApi({ nextSigningKey: next });
  await walkRun(api);

  const { keys } = (await (await api.ask('/.well-known/jwks.json')).json()) as { keys: PublicJwk[] };
  expect(keys.map(({ kid }) => kid).sort()).toEqual(['next-key', 'test-key']);
  const { key = '' } = await askForKey(api);
  expect(readHeader(key)).toMatchObject({ kid: 'test-key' });
});

test('an emergency rotation revokes keys of the former signing key, and their devices can earn new ones at once', async () => {
  const before = await createTestApi();
  await walkRun(before);
  const { key } = await askForKey(before);

  const signingKey = readSigningKey(generateSigningKey('new-key'));
  const after = await createTestApi({ db: before.db, signingKey, emergencyKid: 'new-key', startAt: before.now() });

  expect(await verify(after, key)).toMatchObject({ code: 'UNKNOWN_KID' });
  expect(await askForKey(after)).toMatchObject({ status: 'none' });
  expect(await after.db.selectFrom('accessKey').select(['revokedAt', 'revokeReason']).execute()).toEqual([
    { revokedAt: after.now(), revokeReason: 'signing key withdrawn' },
  ]);
  await walkRun(after);
  const { key: newKey } = await askForKey(after);
  expect(await verify(after, newKey)).toMatchObject({ code: 'VALID' });
});

test('key requests and key checks have separate rate limits per device', async () => {
  const api = await createTestApi({ limits: { ...DEFAULT_LIMITS, keysPerMinute: 1, keyChecksPerMinute: 1 } });
  const ask = (hwid: string) => api.ask(`/api/key?hwid=${hwid}`);
  const check = (hwid: string) => api.post('/api/key/verify', { key: 'a.b.c', hwid });

  expect((await ask(HWID)).headers.get('ratelimit')).toMatch(/"key"; r=0;.*"key-address"/);
  expect((await ask(HWID)).status).toBe(429);
  expect((await ask('device-5678')).status).toBe(200);

  expect((await check(HWID)).headers.get('ratelimit')).toMatch(/"key-check"; r=0;.*"key-check-address"/);
  expect((await check(HWID)).status).toBe(429);
  expect((await check('device-5678')).status).toBe(200);
});

test('key routes answer 405 to other methods', async () => {
  const api = await createTestApi();
  const answers = [
    await api.post('/api/key', {}),
    await api.ask('/api/key/verify'),
    await api.post('/.well-known/jwks.json', {}),
  ];

  expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [405, 'GET, HEAD'],
    [405, 'POST'],
    [405, 'GET, HEAD'],
  ]);
});

function readHeader(key: string): object {
  return decode(key.split('.')[0] ?? '');
}

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object;
}
