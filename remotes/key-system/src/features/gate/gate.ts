import { listAdvertisers, pickAdvertiser, type AdvertiserId } from '@app/contracts/advertisers';
import type { OperatingSystem } from '@app/contracts/key-system';
import { withQuery } from '@app/platform';

/** How many steps the gate announces for the default advertiser. */
const USUAL_STEPS = 2;

/**
 * How many steps the gate announces: two for the first advertiser of step 1, three for the second, four for the third.
 */
export function countGateSteps(advertiser: AdvertiserId): number {
  return USUAL_STEPS + listAdvertisers('main', 1).indexOf(advertiser);
}

/** Reads the advertiser in the address, in any case. The default when the first step does not offer it. */
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
 * The address to which the gate leads after the captcha. It contains the zone, but with `run=stay`: an open run keeps
 * its present zone. The gate needs no click, so otherwise another site could send visitors here to move their runs to
 * its own zone.
 */
export function gateTarget({ hwid, zone, advertiser, os }: GateTarget): string {
  return withQuery('/api/keysystemv2', { hwid, advertiser, os, zone, run: zone && 'stay' });
}
