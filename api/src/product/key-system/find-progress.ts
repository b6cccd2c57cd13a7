import type { AppId } from '@app/contracts/key-system';
import type { KeyFinding } from '@app/contracts/app-calls';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { DeviceClaim } from '#api/product/devices/device-claim.ts';
import { activePlan } from '#api/product/licences/licence-periods.ts';
import { cooldownOf } from './eligibility.ts';
import type { KeySystem } from './key-system.ts';
import { pickRun } from './zone-matching.ts';

/** What an app that asks for a key has to know of its device, as of one moment. */
export interface Progress {
  /** Whether a plan of the device gives keys. */
  hasPlan: boolean;
  /** Whether a run of the device has earned a key that is valid. */
  hasKey: boolean;
  /** What the app is told without a key: why the device has to wait, or how far its open run is. */
  without: Exclude<KeyFinding, { status: 'active' }>;
}

/** Finds what an app has to know of its device, in one statement. Only reads. */
export async function findProgress(
  { snapshots, pseudonyms, limits, now }: KeySystem,
  appId: AppId,
  { hwid, zone }: DeviceClaim,
  by: ClientIdentity,
): Promise<Progress> {
  const at = now();
  const device = await snapshots.read(appId, pseudonyms.hwid(hwid), { at, strikesSince: at - limits.strikes.windowMs });
  const found = { hasPlan: activePlan(device.periods, at) !== null, hasKey: device.keys.length > 0 };
  const cooldown = cooldownOf(device, device.strikes, by, limits.strikes, at);
  if (cooldown) return { ...found, without: { status: 'blocked', ...cooldown } };

  const run = pickRun(device.runs, { zoneHmac: pseudonyms.zone(zone), by });
  return {
    ...found,
    without: run ? { status: 'in_progress', step: run.step, of: run.stepsRequired } : { status: 'none' },
  };
}
