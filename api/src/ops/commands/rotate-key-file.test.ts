import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { createSigningKeysService } from '#api/product/keys/signing-keys.service.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { HWID, walkRun } from '#api/test/product/visitor-steps.ts';
import { loadSecrets } from '#api/foundation/secrets/load-secrets.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { rotateKeyFile } from './signing-key-commands.ts';

const HOUR = 60 * 60 * 1000;

/** A development machine: its folder, its database, and a server that is started several times. */
async function createMachine() {
  const dataDir = makeFolder();
  const load = () => loadSecrets(parseEnv({ DATA_DIR: dataDir }));
  const { db } = await createTestApi(load());
  let time = Date.now();

  return {
    dataDir,
    start: () => createTestApi({ ...load(), db, startAt: time }),
    rotate: () => {
      const signingKeys = createSigningKeysService({ db, now: () => time });
      return rotateKeyFile(dataDir, signingKeys, time);
    },
    pass: (ms: number) => {
      time += ms;
    },
  };
}

async function publishedKids(api: TestApi): Promise<string[]> {
  const { keys } = (await (await api.ask('/.well-known/jwks.json')).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid).sort();
}

async function askForKey(api: TestApi, hwid = HWID): Promise<string> {
  return ((await (await api.ask(`/api/key?hwid=${hwid}&zone=zone-1`)).json()) as { key: string }).key;
}

function kidOf(key: string): string {
  return (JSON.parse(Buffer.from(key.split('.')[0] ?? '', 'base64url').toString('utf8')) as { kid: string }).kid;
}

test('a development machine rotates its signing key with two commands 24 hours apart, and old keys stay valid', async () => {
  const machine = await createMachine();
  const first = await machine.rotate();
  expect(first.isInPlace).toBe(false);
  machine.pass(24 * HOUR - 1000);
  expect(await machine.rotate()).toEqual(first);

  const before = await machine.start();
  await walkRun(before);
  const oldKey = await askForKey(before);
  expect(await publishedKids(before)).toEqual([kidOf(oldKey), first.kid].sort());

  machine.pass(1000);
  expect(await machine.rotate()).toEqual({ ...first, isInPlace: true });
  expect(readdirSync(join(machine.dataDir, 'secrets')).sort()).toEqual(['hwid-pepper', 'signing-key.json']);

  const after = await machine.start();
  expect(await publishedKids(after)).toEqual([kidOf(oldKey), first.kid].sort());
  expect(await (await after.post('/api/key/verify', { key: oldKey, hwid: HWID })).json()).toMatchObject({
    code: 'VALID',
  });
  await walkRun(after, { hwid: 'device-5678' });
  expect(kidOf(await askForKey(after, 'device-5678'))).toBe(first.kid);
});
