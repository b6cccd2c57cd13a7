import { sql } from 'kysely';
import type { Db, DeviceRow } from '#api/foundation/db/schema.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';

/**
 * Every table that stores something of a device, in the order of deletion: children first. Orders stay (tax law). Audit
 * rows stay as well; once the device's row is gone, they identify no device.
 */
export const DEVICE_PLACES = [
  { table: 'access_key', whose: 'device_id = :device', isErased: true },
  { table: 'step_attempt', whose: 'run_id IN (SELECT id FROM run WHERE device_id = :device)', isErased: true },
  { table: 'run', whose: 'device_id = :device', isErased: true },
  { table: 'strike', whose: 'device_id = :device', isErased: true },
  { table: 'captcha_pass', whose: 'hwid_hmac = :hwid', isErased: true },
  { table: 'reset_request', whose: 'device_id = :device', isErased: true },
  { table: 'licence_device', whose: 'device_id = :device', isErased: true },
  { table: 'purchase_order', whose: 'device_id = :device', isErased: false },
  { table: 'audit_unsealed', whose: 'subject = :device', isErased: false },
  { table: 'audit_event', whose: 'subject = :device', isErased: false },
] as const;

type Place = (typeof DEVICE_PLACES)[number];

export type DeviceRecords = Record<Place['table'], Record<string, unknown>[]>;

export function createDeviceRecordsRepository(db: Db) {
  return {
    async collect(device: DeviceRow): Promise<DeviceRecords> {
      const found: Partial<DeviceRecords> = {};
      for (const { table, whose } of DEVICE_PLACES) {
        const { rows } = await sql<
          Record<string, unknown>
        >`SELECT * FROM ${sql.raw(table)} WHERE ${conditionOf(whose, device)}`.execute(db);
        found[table] = rows;
      }
      return found as DeviceRecords;
    },

    /**
     * Erases a device. If an order has to stay, the device's row stays too, with nothing but a random id. To be called
     * within a transaction.
     */
    async erase(device: DeviceRow, at: number): Promise<void> {
      // The HMAC is replaced first, so that no request finds the device any more. Then its runs are locked, in the same
      // order as in every transaction.
      await db
        .updateTable('device')
        .set({ hwidHmac: `erased-${randomId()}`, firstSeen: at, lastSeen: at, blockReason: null, blockedUntil: null })
        .where('id', '=', device.id)
        .execute();
      await db.updateTable('run').set({ updatedAt: at }).where('deviceId', '=', device.id).execute();

      for (const { table, whose, isErased } of DEVICE_PLACES) {
        if (isErased) await sql`DELETE FROM ${sql.raw(table)} WHERE ${conditionOf(whose, device)}`.execute(db);
      }
      await sql`DELETE FROM device WHERE id = ${device.id} AND NOT EXISTS (SELECT 1 FROM purchase_order WHERE device_id = device.id)`.execute(
        db,
      );
    },
  };
}

function conditionOf(whose: string, { id, hwidHmac }: DeviceRow) {
  const [before = '', name = '', after = ''] = whose.split(/:(device|hwid)/);
  return sql`${sql.raw(before)}${name === 'hwid' ? hwidHmac : id}${sql.raw(after)}`;
}
