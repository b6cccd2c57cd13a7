import * as v from 'valibot';

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

/** A device identifier as an app may send it (threat row 17). */
export const HWID_PATTERN = /^[A-Za-z0-9._:-]{6,128}$/;

/** The app's token, passed along by the pages. */
export const ZONE_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;

const FIRST_STEP: readonly AdvertiserId[] = ['linkvertise', 'rinku', 'lootlabs'];
const FIRST_SERIES: readonly AdvertiserId[] = ['linkvertise', 'workink', 'lootlabs'];
const SECOND_SERIES: readonly AdvertiserId[] = ['linkvertise', 'lootlabs'];
const COMPANION_STEPS: readonly AdvertiserId[] = ['linkvertise'];

/** The advertisers a visitor may pick on a step, the default first. */
export function listAdvertisers(app: AppId, step: number): readonly AdvertiserId[] {
  if (app === 'companion') return COMPANION_STEPS;
  if (step === 1) return FIRST_STEP;
  return step <= STEPS_PER_SERIES ? FIRST_SERIES : SECOND_SERIES;
}

/** An advertiser that the step does not offer gives way to the default; it is never an error. */
export function pickAdvertiser(app: AppId, step: number, wanted: string | undefined): AdvertiserId {
  const allowed = listAdvertisers(app, step);
  return allowed.find((id) => id === wanted?.toLowerCase()) ?? DEFAULT_ADVERTISER;
}

/** Reads an operating system in any case; anything else is undefined. */
export function parseOs(value: string | undefined): OperatingSystem | undefined {
  return OPERATING_SYSTEMS.find((os) => os === value?.toLowerCase());
}

export const runStateSchema = v.object({
  app: v.picklist(APP_IDS),
  /** The device's open run, or null when there is none. Times are epoch milliseconds. */
  run: v.nullable(
    v.object({
      step: v.number(),
      of: v.number(),
      series: v.number(),
      completed: v.array(v.object({ step: v.number(), advertiser: v.string(), at: v.number(), proof: v.string() })),
      /** An advertiser's confirmation of the current step is still on its way. */
      waiting: v.boolean(),
      expiresAt: v.number(),
    }),
  ),
  key: v.nullable(v.object({ active: v.boolean(), expiresAt: v.number() })),
  /** Why this visitor cannot go on with the device at the moment, and until when; null for as long as an operator wants. */
  cooldown: v.nullable(v.object({ until: v.nullable(v.number()), reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']) })),
  /** Every advertiser that the app uses, and whether it can be used at the moment. */
  advertisers: v.array(v.object({ id: v.picklist(ADVERTISER_IDS), ok: v.boolean() })),
  /** How many steps a new run takes. */
  stepsRequired: v.number(),
  /** The server's clock, so that a countdown does not trust the visitor's. */
  now: v.number(),
});
export type RunState = v.InferOutput<typeof runStateSchema>;

/** What the app is told when it asks for its key. */
export const keyAnswerSchema = v.variant('status', [
  v.object({ status: v.literal('active'), key: v.string(), expiresAt: v.number(), now: v.number() }),
  v.object({ status: v.literal('in_progress'), step: v.number(), of: v.number() }),
  v.object({ status: v.literal('none') }),
  v.object({ status: v.literal('blocked'), until: v.nullable(v.number()), reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']) }),
]);
export type KeyAnswer = v.InferOutput<typeof keyAnswerSchema>;
