import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createPseudonyms, keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { buildKey, insertRun, T0 } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createSigningKeysService } from './signing-keys.service.ts';
import { createKeysRepository } from './keys.repository.ts';
import { createKeysService } from './keys.service.ts';

const SIGNING_KEY = readSigningKey(generateSigningKey('ours'));
const pseudonyms = createPseudonyms(TEST_PEPPER);
const DAY = 24 * 60 * 60 * 1000;

describeEachDatabase('keys', (db) => {
  const repository = () => createKeysRepository(db());
  const createService = () =>
    createKeysService({
      db: db(),
      signingKey: SIGNING_KEY,
      pseudonyms,
      issuer: () => 'https://site.example',
      now: () => T0,
    });

  async function insertFinishedRun(zone = 'zone-1') {
    const hwidHmac = pseudonyms.hwid('device-1234');
    const run = await insertRun(db(), { hwidHmac, zoneHmac: pseudonyms.zone(zone) });
    await db().updateTable('run').set({ state: 'completed' }).where('id', '=', run.id).execute();
    return run;
  }

  test('a key has its subject and its times in whole seconds', async () => {
    const key = await createService().prepare({
      appId: 'main',
      source: 'ads',
      subject: keySubject('device-1234'),
      at: T0 + 999,
      ttlMs: DAY + 999,
    });
    const [seconds, end] = [T0 / 1000, (T0 + DAY) / 1000];

    expect(key).toMatchObject({
      appId: 'main',
      kid: 'ours',
      issuedAt: T0,
      expiresAt: T0 + DAY,
      revokedAt: null,
    });
    expect(JSON.parse(Buffer.from(key.jws.split('.')[1] ?? '', 'base64url').toString('utf8'))).toEqual({
      iss: 'https://site.example',
      aud: 'main',
      sub: keySubject('device-1234'),
      jti: key.jti,
      iat: seconds,
      nbf: seconds,
      exp: end,
      src: 'ads',
      v: 1,
    });
  });

  test('a key check returns the code and the expiry of the key', async () => {
    await createSigningKeysService({ db: db(), now: () => T0 }).rotate(SIGNING_KEY);
    const run = await insertFinishedRun();
    const service = createService();
    const subject = keySubject('device-1234');
    const order = { appId: 'main', source: 'ads', subject, at: T0, ttlMs: DAY } as const;
    const key = await service.prepare(order);
    await repository().insert({ ...key, deviceId: run.deviceId, runId: run.id });

    const check = (app: 'main' | 'companion', jws = key.jws) => service.verify(jws, { app, hwid: 'device-1234' });
    expect(await check('main')).toEqual({ code: 'VALID', expiresAt: T0 + DAY });
    expect(await check('companion')).toEqual({ code: 'APP_MISMATCH', expiresAt: T0 + DAY });
    expect(await check('main', (await service.prepare(order)).jws)).toEqual({ code: 'REVOKED', expiresAt: T0 + DAY });
    expect(await check('main', 'a.b.c')).toEqual({ code: 'SIGNATURE', expiresAt: null });
  });

  test('the valid key with the latest expiry is found for its zone', async () => {
    const runs = [await insertFinishedRun(), await insertFinishedRun(), await insertFinishedRun('zone-2')];
    const ends = [T0 + 1, T0 + 3, T0 + 2];
    for (const [index, run] of runs.entries())
      await repository().insert(buildKey(run, { jws: `key ${String(index)}`, expiresAt: ends[index] ?? 0 }));
    const ask = (zone: string) => createService().findActive('main', { hwid: 'device-1234', zone });

    expect(await ask('zone-1')).toMatchObject({ jws: 'key 1', expiresAt: T0 + 3 });
    expect(await ask('zone-2')).toMatchObject({ jws: 'key 2', expiresAt: T0 + 2 });
    expect(await ask('zone-3')).toEqual({ reason: 'zone' });

    await db()
      .updateTable('device')
      .set({ blockReason: 'abuse', blockedUntil: T0 + 1 })
      .execute();
    expect(await ask('zone-1')).toBeUndefined();
  });

  test('a second key of a run is not stored', async () => {
    const run = await insertFinishedRun();
    const hwidHmac = pseudonyms.hwid('device-1234');

    expect(await repository().insert(buildKey(run, { jti: 'first' }))).toBe(true);
    expect(await repository().insert(buildKey(run, { jti: 'second' }))).toBe(false);

    expect(await repository().findLatest('main', hwidHmac)).toMatchObject({ jti: 'first', zoneHmac: run.zoneHmac });
    expect(await repository().findLatest('companion', hwidHmac)).toBeUndefined();
  });
});
