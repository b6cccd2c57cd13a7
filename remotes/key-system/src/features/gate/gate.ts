import { withQuery } from '@app/platform';
import { listAdvertisers, pickAdvertiser, type AdvertiserId, type OperatingSystem } from '@app/contracts/key-system';

/** How many steps the gate announces for the default advertiser; each of the others announces one more. */
const USUAL_STEPS = 2;

/** Two steps, for the second advertiser of the first step three, for the third four. */
export function countGateSteps(advertiser: AdvertiserId): number {
  return USUAL_STEPS + listAdvertisers('main', 1).indexOf(advertiser);
}

/** The advertiser that an address names, in any case. The default where it names none, or none of the first step. */
export function parseGateAdvertiser(word: string | null): AdvertiserId {
  return pickAdvertiser('main', 1, word ?? undefined);
}

interface GateTarget {
  hwid: string;
  zone: string | undefined;
  advertiser: AdvertiserId;
  os: OperatingSystem;
}

/**
 * Where the gate leads once it is open. A zone is passed along, but with `run=stay`: an open run keeps the zone that it
 * has. The gate leads on without a click, so another site could send a visitor here to move the run to its own zone.
 */
export function gateTarget({ hwid, zone, advertiser, os }: GateTarget): string {
  return withQuery('/api/keysystemv2', { hwid, advertiser, os, zone, run: zone && 'stay' });
}
