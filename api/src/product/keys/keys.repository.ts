import { writesRow } from '#api/foundation/db/dialect.ts';
import type { AppId } from '@app/contracts/key-system';
import type { Db, KeyRow, NewKey } from '#api/foundation/db/schema.ts';

/** One key; all valid keys of these devices; or those that plans gave to devices with this id, and that end later. */
export type WhichKeys = { jti: string } | { deviceIds: readonly string[] } | { planOf: string; endingAfter: number };

export type RevokedKey = Pick<KeyRow, 'jti' | 'appId' | 'deviceId'>;

export function createKeysRepository(db: Db) {
  return {
    /** False when its run has a key already. */
    insert(key: NewKey): Promise<boolean> {
      return writesRow(
        db
          .insertInto('accessKey')
          .values(key)
          .onConflict((conflict) => conflict.column('runId').doNothing()),
      );
    },

    /** The key of a device that ends last, without revoked ones. */
    findLatest(appId: AppId, hwidHmac: string) {
      return selectKeys(db, appId, hwidHmac).limit(1).executeTakeFirst();
    },

    /** The valid keys of a device, the one that is valid longest first. */
    listActive(appId: AppId, hwidHmac: string, at: number) {
      return selectKeys(db, appId, hwidHmac).where('accessKey.expiresAt', '>', at).execute();
    },

    /** Only the first time counts. */
    async recordFetch(jti: string, at: number): Promise<void> {
      await db
        .updateTable('accessKey')
        .set({ fetchedAt: at })
        .where('jti', '=', jti)
        .where('fetchedAt', 'is', null)
        .execute();
    },

    /** Gives those that were not revoked before. */
    revoke(which: WhichKeys, reason: string, at: number): Promise<RevokedKey[]> {
      const working = db
        .updateTable('accessKey')
        .set({ revokedAt: at, revokeReason: reason })
        .where('revokedAt', 'is', null)
        .returning(['jti', 'appId', 'deviceId']);
      if ('jti' in which) return working.where('jti', '=', which.jti).execute();

      const valid = working.where('expiresAt', '>', at);
      if ('deviceIds' in which) return valid.where('deviceId', 'in', which.deviceIds).execute();

      const { planOf, endingAfter } = which;
      return valid
        .where('licenceId', 'is not', null)
        .where('deviceId', 'in', (eb) => eb.selectFrom('device').select('id').where('hwidHmac', '=', planOf))
        .where('expiresAt', '>', endingAfter)
        .execute();
    },

    /** Gives how many there were. */
    async revokeSignedByOthers(kid: string, reason: string, at: number): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('accessKey')
        .set({ revokedAt: at, revokeReason: reason })
        .where('kid', '<>', kid)
        .where('revokedAt', 'is', null)
        .where('expiresAt', '>', at)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    find(jti: string): Promise<KeyRow | undefined> {
      return db.selectFrom('accessKey').selectAll().where('jti', '=', jti).executeTakeFirst();
    },
  };
}

/** Selects the keys of a device, each with the zone and the browser of its run and the block of the device. */
function selectKeys(db: Db, appId: AppId, hwidHmac: string) {
  return db
    .selectFrom('accessKey')
    .innerJoin('device', 'device.id', 'accessKey.deviceId')
    .leftJoin('run', 'run.id', 'accessKey.runId')
    .selectAll('accessKey')
    .select(['run.zoneHmac', 'run.visitorHmac', 'device.blockReason', 'device.blockedUntil'])
    .where('device.appId', '=', appId)
    .where('device.hwidHmac', '=', hwidHmac)
    .where('accessKey.revokedAt', 'is', null)
    .orderBy('accessKey.expiresAt', 'desc');
}
