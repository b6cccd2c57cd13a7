import { sql } from 'kysely';
import type { Db, DeviceRow } from '#api/foundation/db/schema.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';

/**
 * Every table that stores something of a device, in the order of deletion: children first. Orders stay (tax law). Audit
 * rows stay as well; once the device's row is gone, they identify no device.
 */
export const DEVICE_TABLES = [
  { table: 'access_key', condition: 'device_id = :device', isErased: true },
  { table: 'step_attempt', condition: 'run_id IN (SELECT id FROM run WHERE device_id = :device)', isErased: true },
  { table: 'run', condition: 'device_id = :device', isErased: true },
  { table: 'strike', condition: 'device_id = :device', isErased: true },
  { table: 'captcha_pass', condition: 'hwid_hmac = :hwid', isErased: true },
  { table: 'reset_request', condition: 'device_id = :device', isErased: true },
  { table: 'licence_device', condition: 'device_id = :device', isErased: true },
  { table: 'purchase_order', condition: 'device_id = :device', isErased: false },
  { table: 'audit_unsealed', condition: 'subject = :device', isErased: false },
  { table: 'audit_event', condition: 'subject = :device', isErased: false },
] as const;

type DeviceTable = (typeof DEVICE_TABLES)[number]['table'];

export type DeviceRecords = Record<DeviceTable, Record<string, unknown>[]>;

export function createDeviceRecordsRepository(db: Db) {
  return {
    async collect(device: DeviceRow): Promise<DeviceRecords> {
      const found: Partial<DeviceRecords> = {};
      for (const { table, condition } of DEVICE_TABLES) {
        const { rows } = await sql<
          Record<string, unknown>
        >`SELECT * FROM ${sql.raw(table)} WHERE ${fillCondition(condition, device)}`.execute(db);
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

      for (const { table, condition, isErased } of DEVICE_TABLES) {
        if (isErased) await sql`DELETE FROM ${sql.raw(table)} WHERE ${fillCondition(condition, device)}`.execute(db);
      }
      await sql`DELETE FROM device WHERE id = ${device.id} AND NOT EXISTS (SELECT 1 FROM purchase_order WHERE device_id = device.id)`.execute(
        db,
      );
    },
  };
}

function fillCondition(condition: string, { id, hwidHmac }: DeviceRow) {
  const [before = '', name = '', after = ''] = condition.split(/:(device|hwid)/);
  return sql`${sql.raw(before)}${name === 'hwid' ? hwidHmac : id}${sql.raw(after)}`;
}
