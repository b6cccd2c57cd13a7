import type { AppId, OperatingSystem } from '@app/contracts/key-system';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import type { DeviceClaim } from '#api/features/devices/device-claim.ts';
import type { PageResult } from './destinations.ts';
import type { KeySystem } from './key-system.ts';
import type { RunZone } from './runs.repository.ts';
import type { ZoneClaimant } from './zone-matching.ts';

/** A press of Complete. */
export interface StartRequest {
  appId: AppId;
  visitor: DeviceClaim;
  os: OperatingSystem | undefined;
  advertiser: string | undefined;
  by: ClientIdentity;
  /** The browser's name, also one that it is only now given. */
  visitorHmac: string | null;
  /** The step whose button was pressed; undefined means "wherever my run stands". */
  step: number | undefined;
  /**
   * What to do when the open run is for another zone: go on with it as it is, or begin a new one. With `stay` a run of
   * one's own goes on as it is, and only others are asked: so says a page that led on without a click.
   */
  run: 'keep' | 'new' | 'stay' | undefined;
}

/** Where a press of Complete leads: out to an advertiser, or to the page where the visitor belongs. */
export type StartResult = { kind: 'advertiser'; url: string } | PageResult;

export function claimantOf({ pseudonyms }: KeySystem, { visitor, by }: StartRequest): ZoneClaimant {
  return { zoneHmac: pseudonyms.zone(visitor.zone), by };
}

/** The zone that a visitor brings, as a run keeps it. */
export function zoneOf({ pseudonyms, subjectCipher }: KeySystem, runId: string, { visitor }: StartRequest): RunZone {
  return { zoneHmac: pseudonyms.zone(visitor.zone), sealedZone: subjectCipher.sealZone(runId, visitor.zone) };
}

/** Whether the visitor wants nothing moved to the zone that they bring. */
export function keepsZone({ run }: StartRequest): boolean {
  return run === 'keep' || run === 'stay';
}
