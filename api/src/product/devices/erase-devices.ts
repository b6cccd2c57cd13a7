import type { Db, DeviceRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createDeviceRecordsRepository } from './device-records.repository.ts';

/**
 * Erases devices, all or none of them. If an order has to stay, its device's row stays with nothing but a random id.
 */
export function eraseDevices({ db }: { db: Db }, devices: readonly DeviceRow[], { by, at }: Act): Promise<void> {
  return transact(db, { records: createDeviceRecordsRepository }, async (tx) => {
    for (const device of devices) {
      await tx.records.erase(device, at);
      tx.record({ at, kind: 'device', code: 'erased', subject: device.id, detail: { by } });
    }
  });
}
