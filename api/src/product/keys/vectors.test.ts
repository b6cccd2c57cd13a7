import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';

interface Vectors {
  common: { jwks: { keys: { kid: string; alg: string }[] }; hwid: string; now: number };
  vectors: { title: string; key: string; hwid?: string; app?: string; code: string }[];
}

/** The vectors of the sample verifier, which the server has to pass as well. */
const { common, vectors } = JSON.parse(
  readFileSync(new URL('../../../../samples/vectors/vectors.json', import.meta.url), 'utf8'),
) as Vectors;

test('threat 20: the server rejects every mutated key of the test vectors for the same reason as the sample verifier', async () => {
  const api = await createApiOfVectors();

  for (const { title, key, code } of vectors.filter((vector) => vector.title.startsWith('threat 20'))) {
    expect(await verify(api, key), title).toMatchObject({ valid: false, code });
  }
});

test('threat 21: the server rejects the key of the test vectors on another device', async () => {
  const api = await createApiOfVectors();
  const [copied] = vectors.filter(({ title }) => title.startsWith('threat 21'));

  expect(await verify(api, copied?.key, copied?.hwid)).toMatchObject({ valid: false, code: 'DEVICE_MISMATCH' });
});

test('the server rejects the key of the test vectors in the other app for the same reason as the sample verifier', async () => {
  const api = await createApiOfVectors();
  const other = vectors.find(({ app }) => app !== undefined);

  expect(other?.code).toBe('APP_MISMATCH');
  expect(await verify(api, other?.key, common.hwid, other?.app)).toMatchObject({ valid: false, code: 'APP_MISMATCH' });
});

test('a signed key without a run is reported as revoked', async () => {
  const api = await createApiOfVectors();

  expect(await verify(api, vectors[0]?.key)).toMatchObject({ valid: false, code: 'REVOKED' });
});

/** A server that publishes the key of the vectors, at the time at which they were made. */
async function createApiOfVectors(): Promise<TestApi> {
  const api = await createTestApi();
  api.pass(common.now * 1000 - api.now());
  for (const jwk of common.jwks.keys) {
    const row = {
      kid: jwk.kid,
      alg: jwk.alg,
      publicJwk: JSON.stringify(jwk),
      status: 'retired',
      notBefore: 0,
      notAfter: null,
    } as const;
    await api.db.insertInto('signingKey').values(row).execute();
  }
  return api;
}

async function verify(api: TestApi, key: string | undefined, hwid = common.hwid, app = 'main'): Promise<unknown> {
  return (await api.post('/api/key/verify', { key, hwid, app })).json();
}
