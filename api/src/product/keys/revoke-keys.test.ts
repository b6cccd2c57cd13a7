import { expect, test } from 'vitest';
import { buildKey, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createKeysRepository } from './keys.repository.ts';
import { revokeKeys } from './revoke-keys.ts';
import { sealAudit } from '#api/test/sealed.ts';

const ACT = { by: 'ada', at: T0 + 1 };

describeEachDatabase('revocations', (db) => {
  /** A device's key, which is valid until a day after T0 by default. */
  async function insertKey(hwidHmac: string, expiresAt = T0 + 86_400_000) {
    const run = await insertRun(db(), { hwidHmac });
    await db().updateTable('run').set({ state: 'completed' }).where('id', '=', run.id).execute();
    const key = buildKey(run, { expiresAt });
    await createKeysRepository(db()).insert(key);
    return key;
  }
  const listRevoked = async () =>
    (await db().selectFrom('accessKey').select('jti').where('revokedAt', 'is not', null).execute())
      .map(({ jti }) => jti)
      .sort();
  const readAudit = async () =>
    (await sealAudit(db()))
      .selectFrom('auditEvent')
      .select(['kind', 'subject', 'detail'])
      .where('code', '=', 'revoked')
      .execute();

  test('a key is revoked once, with its reason', async () => {
    const { jti, deviceId } = await insertKey('hwid');
    await insertKey('other');

    expect(await revokeKeys({ db: db() }, { jti }, 'sold', ACT)).toEqual([{ jti, appId: 'main', deviceId }]);
    expect(await revokeKeys({ db: db() }, { jti }, 'sold again', ACT)).toEqual([]);

    expect(await listRevoked()).toEqual([jti]);
    expect(await createKeysRepository(db()).find(jti)).toMatchObject({ revokedAt: T0 + 1, revokeReason: 'sold' });
    expect(await readAudit()).toEqual([
      { kind: 'key', subject: deviceId, detail: `{"app":"main","by":"ada","jti":"${jti}","reason":"sold"}` },
    ]);
  });

  test('all valid keys of a device are revoked', async () => {
    const over = await insertKey('hwid', T0);
    const first = await insertKey('hwid');
    const second = await insertKey('hwid');
    await insertKey('other');

    const revoked = await revokeKeys({ db: db() }, { deviceIds: [first.deviceId] }, 'sold', ACT);

    expect(revoked.map(({ jti }) => jti).sort()).toEqual([first.jti, second.jti].sort());
    expect(await listRevoked()).not.toContain(over.jti);
    expect(await readAudit()).toHaveLength(2);
  });

  test('five simultaneous revocations revoke a key once and record one audit event', async () => {
    const { jti } = await insertKey('hwid');

    const all = await Promise.all([1, 2, 3, 4, 5].map(() => revokeKeys({ db: db() }, { jti }, 'sold', ACT)));

    expect(all.flat()).toHaveLength(1);
    expect(await readAudit()).toHaveLength(1);
  });

  test('revoking an unknown key changes nothing', async () => {
    expect(await revokeKeys({ db: db() }, { jti: 'nothing' }, 'sold', ACT)).toEqual([]);

    expect(await readAudit()).toEqual([]);
  });

  test('an emergency rotation does not revoke expired keys', async () => {
    const works = await insertKey('hwid', ACT.at + 1);
    await insertKey('other', ACT.at);

    expect(await createKeysRepository(db()).revokeSignedByOthers('new', 'withdrawn', ACT.at)).toBe(1);
    expect(await listRevoked()).toEqual([works.jti]);
  });
});
