import type { Db } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { transact } from './transact.ts';

/**
 * Lifts the blocks of devices.
 * @returns the ids of the devices that had one
 */
export function unblockDevices({ db }: { db: Db }, deviceIds: readonly string[], { by, at }: Act): Promise<string[]> {
  return transact(db, async (tx) => {
    const unblocked = await tx.devices.liftBlocks(deviceIds);
    for (const subject of unblocked) tx.record({ at, subject, kind: 'device', code: 'unblocked', detail: { by } });
    return unblocked;
  });
}
