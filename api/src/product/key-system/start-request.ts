import type { AppId, OperatingSystem } from '@app/contracts/key-system';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { DeviceClaim } from '#api/product/devices/device-claim.ts';
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
  /** The HMAC of the browser, even if it gets its cookie only with this response. */
  visitorHmac: string | null;
  /** The step whose button was pressed; undefined means the run's current step. */
  step: number | undefined;
  /**
   * What to do when the open run is for another zone: `keep` goes on with it unchanged, `new` begins another run.
   * `stay` comes from a page that led on without a click: a run of the same browser goes on unchanged, and for others'
   * runs the visitor is asked.
   */
  run: 'keep' | 'new' | 'stay' | undefined;
}

/**
 * Where a press of Complete leads: to an advertiser, or to the page where the visitor belongs; or nowhere, because the
 * server takes no new runs at the moment.
 */
export type StartResult = { kind: 'advertiser'; url: string } | PageResult | { kind: 'overloaded' };

/** Who sent the request, with the HMAC of their zone. */
export function claimantOf({ pseudonyms }: KeySystem, { visitor, by }: StartRequest): ZoneClaimant {
  return { zoneHmac: pseudonyms.zone(visitor.zone), by };
}

/** The zone of the request, in the form in which a run stores it. */
export function zoneOf({ pseudonyms, subjectCipher }: KeySystem, runId: string, { visitor }: StartRequest): RunZone {
  return { zoneHmac: pseudonyms.zone(visitor.zone), sealedZone: subjectCipher.sealZone(runId, visitor.zone) };
}

/** Whether the request must not move a run to its own zone. */
export function keepsZone({ run }: StartRequest): boolean {
  return run === 'keep' || run === 'stay';
}
