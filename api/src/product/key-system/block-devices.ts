import type { Db } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { Block } from '#api/product/devices/device.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createRunsRepository } from './runs.repository.ts';

/** Blocks devices, all or none of them, and ends their open runs. A block that a device had is replaced. */
export function blockDevices(
  { db }: { db: Db },
  deviceIds: readonly string[],
  { reason, until }: Block,
  { by, at }: Act,
): Promise<void> {
  return transact(db, { devices: createDevicesRepository, runs: createRunsRepository }, async (tx) => {
    for (const subject of deviceIds) {
      await tx.devices.setBlock(subject, { reason, until });
      tx.record({ at, subject, kind: 'device', code: 'blocked', detail: { reason, until, by } });

      for (const { id: run } of await tx.runs.blockOfDevice(subject, at))
        tx.record({ at, subject, kind: 'run', code: 'blocked', detail: { run, by } });
    }
  });
}

/** Gives the ids of the devices that had a block. */
export function unblockDevices({ db }: { db: Db }, deviceIds: readonly string[], { by, at }: Act): Promise<string[]> {
  return transact(db, { devices: createDevicesRepository }, async (tx) => {
    const unblocked = await tx.devices.liftBlocks(deviceIds);
    for (const subject of unblocked) tx.record({ at, subject, kind: 'device', code: 'unblocked', detail: { by } });
    return unblocked;
  });
}
