import type { AppId } from '@app/contracts/key-system';
import type { Db, DeviceRow } from '#api/db/schema.ts';
import { randomId } from '#api/crypto/random-id.ts';
import type { Block } from './block.ts';

export type DevicesRepository = ReturnType<typeof createDevicesRepository>;

export function createDevicesRepository(db: Db) {
  return {
    find(appId: AppId, hwidHmac: string): Promise<DeviceRow | undefined> {
      return selectDevice(db).where('appId', '=', appId).where('hwidHmac', '=', hwidHmac).executeTakeFirst();
    },

    /** The device's rows of all apps. */
    findAll(hwidHmac: string): Promise<DeviceRow[]> {
      return selectDevice(db).where('hwidHmac', '=', hwidHmac).orderBy('appId', 'desc').execute();
    },

    /** Finds the device's row or makes it; one hwid is one row for each app. */
    ensure(appId: AppId, hwidHmac: string, at: number): Promise<DeviceRow> {
      return db
        .insertInto('device')
        .values({ id: randomId(), appId, hwidHmac, firstSeen: at, lastSeen: at, blockedUntil: null, blockReason: null })
        .onConflict((conflict) => conflict.columns(['appId', 'hwidHmac']).doUpdateSet({ lastSeen: at }))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    /** Puts a device under a block; one that was there gives way. */
    async setBlock(id: string, { reason, until }: Block): Promise<void> {
      await db.updateTable('device').set({ blockReason: reason, blockedUntil: until }).where('id', '=', id).execute();
    },

    /** Takes blocks back, and gives the ids of the devices that had one. */
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
