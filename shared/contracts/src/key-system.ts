/** The two apps that have a key system. The id is also the audience (`aud`) of their keys. */
export const APP_IDS = ['main', 'companion'] as const;
export type AppId = (typeof APP_IDS)[number];

export const OPERATING_SYSTEMS = ['android', 'android_vng', 'ios', 'windows'] as const;
export type OperatingSystem = (typeof OPERATING_SYSTEMS)[number];
export const DEFAULT_OS: OperatingSystem = 'android';

export const ADVERTISER_IDS = ['linkvertise', 'rinku', 'lootlabs', 'workink'] as const;
export type AdvertiserId = (typeof ADVERTISER_IDS)[number];
export const DEFAULT_ADVERTISER: AdvertiserId = 'linkvertise';

/** How the advertisers write their own names. */
export const ADVERTISER_NAMES: Record<AdvertiserId, string> = {
  linkvertise: 'Linkvertise',
  rinku: 'Rinku',
  lootlabs: 'LootLabs',
  workink: 'Work.ink',
};

/** Hours that a key works, counted from the end of its run. */
export const KEY_VALID_HOURS = 24;

export const STEPS_PER_SERIES = 3;

/** The form of a device identifier that apps may send (threat 17). */
export const HWID_PATTERN = /^[A-Za-z0-9._:-]{6,128}$/;

/** The form of a zone: a token of the app that the pages pass on. */
export const ZONE_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;

const FIRST_STEP: readonly AdvertiserId[] = ['linkvertise', 'rinku', 'lootlabs'];
const FIRST_SERIES: readonly AdvertiserId[] = ['linkvertise', 'workink', 'lootlabs'];
const SECOND_SERIES: readonly AdvertiserId[] = ['linkvertise', 'lootlabs'];
const COMPANION_STEPS: readonly AdvertiserId[] = ['linkvertise'];

/** The advertisers that a visitor may choose on a step, the default first. */
export function listAdvertisers(app: AppId, step: number): readonly AdvertiserId[] {
  if (app === 'companion') return COMPANION_STEPS;
  if (step === 1) return FIRST_STEP;
  return step <= STEPS_PER_SERIES ? FIRST_SERIES : SECOND_SERIES;
}

/** Reads a text, in any case, as an advertiser of a step. The default for any other text. */
export function pickAdvertiser(app: AppId, step: number, wanted: string | undefined): AdvertiserId {
  const allowed = listAdvertisers(app, step);
  return allowed.find((id) => id === wanted?.toLowerCase()) ?? DEFAULT_ADVERTISER;
}

/**
 * The advertiser that is selected when a step begins. The second series always begins with the default.
 * @param wanted the advertiser that the address, the visitor or the step before names
 */
export function firstAdvertiser(app: AppId, step: number, wanted: string | undefined): AdvertiserId {
  return step === STEPS_PER_SERIES + 1 ? DEFAULT_ADVERTISER : pickAdvertiser(app, step, wanted);
}

/** Reads a text, in any case, as an operating system. Undefined for any other text. */
export function parseOs(value: string | undefined): OperatingSystem | undefined {
  return OPERATING_SYSTEMS.find((os) => os === value?.toLowerCase());
}
