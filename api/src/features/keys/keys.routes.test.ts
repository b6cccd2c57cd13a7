import { expect, test } from 'vitest';
import { keySubject } from '#api/features/devices/identity.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { HWID, passCaptcha, walkRun, walkStep } from '#api/test/visitor-steps.ts';
import { readKey } from './key-token.ts';
import { generateSigningKey, readSigningKey, type PublicJwk } from './signing-key.ts';

const WHO = 'hwid=device-1234&zone=zone-1';
const DAY = 24 * 60 * 60 * 1000;

async function askForKey(api: TestApi, query = WHO): Promise<{ status: string; key?: string }> {
  return (await (await api.ask(`/api/key?${query}`)).json()) as { status: string; key?: string };
}

async function verify(api: TestApi, key: string | undefined, hwid = HWID): Promise<Record<string, unknown>> {
  return (await (await api.post('/api/key/verify', { key, hwid })).json()) as Record<string, unknown>;
}

test('on the way the app is told how far its run is', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  await walkStep(api);

  expect(await askForKey(api)).toEqual({ status: 'in_progress', step: 2, of: 6 });
});

test('a key is given to the zone its run was made in, and to no other', async () => {
  const api = await createTestApi();
  await walkRun(api);

  expect(await askForKey(api)).toMatchObject({ status: 'active' });
  expect(await askForKey(api, 'hwid=device-1234&zone=zone-2')).toEqual({ status: 'none' });
  expect(await askForKey(api, 'hwid=device-1234')).toEqual({ status: 'none' });
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

  expect(await askForKey(api)).toEqual({ status: 'none' });
  expect(await verify(api, key)).toMatchObject({ valid: false, code: 'EXPIRED' });
});

test('row 21: a key copied to another device does not work there', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = await askForKey(api);

  expect(await verify(api, key)).toMatchObject({ valid: true, code: 'VALID', now: api.now() });
  expect(await verify(api, key, 'device-5678')).toMatchObject({ valid: false, code: 'DEVICE_MISMATCH' });
});

test('a revoked key is revoked everywhere', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = await askForKey(api);
  await api.db.updateTable('accessKey').set({ revokedAt: api.now() }).execute();

  expect(await verify(api, key)).toMatchObject({ valid: false, code: 'REVOKED' });
  expect(await askForKey(api)).toEqual({ status: 'none' });
});

test('an app can check a key by itself with the published keys', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key = '' } = await askForKey(api);

  const res = await api.ask('/.well-known/jwks.json');
  const { keys } = (await res.json()) as { keys: PublicJwk[] };

  expect(res.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(readKey(key, { keys, subject: keySubject(HWID), now: api.now() }).code).toBe('VALID');
  expect(JSON.stringify(keys)).not.toContain('"d"');
});

test('a key signed before the signing key changed stays valid', async () => {
  const before = await createTestApi();
  await walkRun(before);
  const { key } = await askForKey(before);

  const after = await createTestApi({ db: before.db, signingKey: readSigningKey(generateSigningKey('next-key')) });

  expect(await verify(after, key)).toMatchObject({ code: 'VALID' });
  const { keys } = (await (await after.ask('/.well-known/jwks.json')).json()) as { keys: PublicJwk[] };
  expect(keys.map(({ kid }) => kid).sort()).toEqual(['next-key', 'test-key']);
});

test('another key under the same id is refused at the start', async () => {
  const { db } = await createTestApi();

  await expect(createTestApi({ db })).rejects.toThrow('Another signing key already has the id test-key');
});

test.each([
  { why: 'no JSON object', body: 'key' },
  { why: 'a list as key', body: { key: ['a'], hwid: HWID } },
  { why: 'a malformed device', body: { key: 'a', hwid: '<script>' } },
])('a question with $why is refused', async ({ body }) => {
  const api = await createTestApi();

  expect((await api.post('/api/key/verify', body)).status).toBe(400);
});

test('an app that we do not have is refused', async () => {
  const api = await createTestApi();

  expect((await api.ask(`/api/key?${WHO}&app=other`)).status).toBe(400);
});
