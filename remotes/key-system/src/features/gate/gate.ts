import { ADVERTISER_IDS, DEFAULT_ADVERTISER, type AdvertiserId, type OperatingSystem } from '@app/contracts/key-system';

/** How many steps the gate announces: two, for the second advertiser three, for the third four. */
const STEPS: Partial<Record<AdvertiserId, number>> = { lootlabs: 3, workink: 4 };
const USUAL_STEPS = 2;

export function countGateSteps(advertiser: AdvertiserId): number {
  return STEPS[advertiser] ?? USUAL_STEPS;
}

/** The advertiser that an address names, in any case; the default for all other words. */
export function parseGateAdvertiser(word: string | null): AdvertiserId {
  return ADVERTISER_IDS.find((id) => id === word?.toLowerCase()) ?? DEFAULT_ADVERTISER;
}

/** Where the gate leads once it is open. */
export function gateTarget({ hwid, advertiser, os }: { hwid: string; advertiser: AdvertiserId; os: OperatingSystem }): string {
  return `/api/keysystemv2?${new URLSearchParams({ hwid, advertiser, os })}`;
}
