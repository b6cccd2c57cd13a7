import { isSpecified, SANDBOX, STEPS_PER_SERIES, type AppId, type SpecifiedApp } from './key-system.ts';

export const ADVERTISER_IDS = ['linkvertise', 'rinku', 'lootlabs', 'workink', SANDBOX] as const;
export type AdvertiserId = (typeof ADVERTISER_IDS)[number];
export const DEFAULT_ADVERTISER: AdvertiserId = 'linkvertise';

/** How the advertisers write their own names. */
export const ADVERTISER_NAMES: Record<AdvertiserId, string> = {
  linkvertise: 'Linkvertise',
  rinku: 'Rinku',
  lootlabs: 'LootLabs',
  workink: 'Work.ink',
  sandbox: 'Sandbox',
};

/** What each step of an app offers, the default first. */
const ADVERTISERS_OF_STEP: Record<SpecifiedApp, (step: number) => readonly AdvertiserId[]> = {
  main: (step) => {
    if (step === 1) return ['linkvertise', 'rinku', 'lootlabs'];
    return step <= STEPS_PER_SERIES ? ['linkvertise', 'workink', 'lootlabs'] : ['linkvertise', 'lootlabs'];
  },
  companion: () => ['linkvertise'],
};

/**
 * The advertisers that a visitor may choose on a step, the default first.
 * @param registered those that every step of a registered app offers
 */
export function listAdvertisers(
  app: AppId,
  step: number,
  registered: readonly AdvertiserId[] = [],
): readonly AdvertiserId[] {
  return isSpecified(app) ? ADVERTISERS_OF_STEP[app](step) : registered;
}

/** Reads a text, in any case, as an advertiser of a step. The default for any other text. */
export function pickAdvertiser(
  app: AppId,
  step: number,
  requested: string | undefined,
  registered?: readonly AdvertiserId[],
): AdvertiserId {
  const allowed = listAdvertisers(app, step, registered);
  return allowed.find((id) => id === requested?.toLowerCase()) ?? allowed[0] ?? DEFAULT_ADVERTISER;
}

/** The advertiser that is selected when a step begins. The second series always begins with the default. */
export function firstAdvertiser(
  app: AppId,
  step: number,
  requested: string | undefined,
  registered?: readonly AdvertiserId[],
): AdvertiserId {
  const isSecondSeries = isSpecified(app) && step === STEPS_PER_SERIES + 1;
  return isSecondSeries ? DEFAULT_ADVERTISER : pickAdvertiser(app, step, requested, registered);
}

/** Reads a text, in any case, as an advertiser. Undefined for any other text. */
export function parseAdvertiser(value: string | undefined): AdvertiserId | undefined {
  return ADVERTISER_IDS.find((id) => id === value?.toLowerCase());
}
