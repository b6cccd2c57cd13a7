import type { AppId } from '@app/contracts/key-system';
import type { Kysely } from 'kysely';
import type { Database, DeviceRow, KeyRow, NewKey } from '#api/db/schema.ts';

type LatestKey = KeyRow & { zoneHmac: string | null } & Pick<DeviceRow, 'blockReason' | 'blockedUntil'>;

export type KeysRepository = ReturnType<typeof createKeysRepository>;

export function createKeysRepository(db: Kysely<Database>) {
  return {
    /** Stores the key of a run; a run has one key, however often it is finished. */
    async insertForRun(key: NewKey): Promise<boolean> {
      const inserted = await db
        .insertInto('accessKey')
        .values(key)
        .onConflict((conflict) => conflict.column('runId').doNothing())
        .returning('jti')
        .executeTakeFirst();

      return inserted !== undefined;
    },

    /** The key of a device that works longest, with the zone its run was made in and the block its device may be under. */
    findLatest(appId: AppId, hwidHmac: string): Promise<LatestKey | undefined> {
      return db
        .selectFrom('accessKey')
        .innerJoin('device', 'device.id', 'accessKey.deviceId')
        .leftJoin('run', 'run.id', 'accessKey.runId')
        .selectAll('accessKey')
        .select(['run.zoneHmac', 'device.blockReason', 'device.blockedUntil'])
        .where('device.appId', '=', appId)
        .where('device.hwidHmac', '=', hwidHmac)
        .where('accessKey.revokedAt', 'is', null)
        .orderBy('accessKey.expiresAt', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    find(jti: string): Promise<KeyRow | undefined> {
      return db.selectFrom('accessKey').selectAll().where('jti', '=', jti).executeTakeFirst();
    },
  };
}
