import type { AppId } from '@app/contracts/key-system';
import type { KeyFinding } from '@app/contracts/key-system-schemas';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { DeviceClaim } from '#api/features/devices/device-claim.ts';
import { cooldownOf } from './eligibility.ts';
import type { KeySystem } from './key-system.ts';
import { pickRun } from './zone-matching.ts';

/** What an app is told that waits for a key: why the device has to wait, or how far its open run is. Only reads. */
export async function findProgress(
  { snapshots, pseudonyms, limits, now }: KeySystem,
  appId: AppId,
  { hwid, zone }: DeviceClaim,
  by: ClientIdentity,
): Promise<Exclude<KeyFinding, { status: 'active' }>> {
  const at = now();
  const device = await snapshots.read(appId, pseudonyms.hwid(hwid), { at, strikesSince: at - limits.strikes.windowMs });
  const cooldown = cooldownOf(device, device.strikes, by, limits.strikes, at);
  if (cooldown) return { status: 'blocked', ...cooldown };

  const run = pickRun(device.runs, { zoneHmac: pseudonyms.zone(zone), by });
  return run ? { status: 'in_progress', step: run.step, of: run.stepsRequired } : { status: 'none' };
}
