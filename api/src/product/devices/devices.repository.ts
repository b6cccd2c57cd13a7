import type { AppId } from '@app/contracts/key-system';
import type { Db, DeviceRow } from '#api/foundation/db/schema.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { Block } from './device.ts';

export function createDevicesRepository(db: Db) {
  return {
    find(appId: AppId, hwidHmac: string): Promise<DeviceRow | undefined> {
      return selectDevice(db).where('appId', '=', appId).where('hwidHmac', '=', hwidHmac).executeTakeFirst();
    },

    /** The rows of a device in all apps. */
    findAll(hwidHmac: string): Promise<DeviceRow[]> {
      return selectDevice(db).where('hwidHmac', '=', hwidHmac).orderBy('appId', 'desc').execute();
    },

    ensure(appId: AppId, hwidHmac: string, at: number): Promise<DeviceRow> {
      return db
        .insertInto('device')
        .values({ id: randomId(), appId, hwidHmac, firstSeen: at, lastSeen: at, blockedUntil: null, blockReason: null })
        .onConflict((conflict) => conflict.columns(['appId', 'hwidHmac']).doUpdateSet({ lastSeen: at }))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    async setBlock(id: string, { reason, until }: Block): Promise<void> {
      await db.updateTable('device').set({ blockReason: reason, blockedUntil: until }).where('id', '=', id).execute();
    },

    /** Gives the ids of those that had one. */
    async liftBlocks(ids: readonly string[]): Promise<string[]> {
      const lifted = await db
        .updateTable('device')
        .set({ blockReason: null, blockedUntil: null })
        .where('id', 'in', ids)
        .where('blockReason', 'is not', null)
        .returning('id')
        .execute();
      return lifted.map(({ id }) => id);
    },
  };
}

function selectDevice(db: Db) {
  return db
    .selectFrom('device')
    .select(['id', 'appId', 'hwidHmac', 'firstSeen', 'lastSeen', 'blockedUntil', 'blockReason']);
}
