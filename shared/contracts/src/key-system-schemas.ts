import * as v from 'valibot';
import { activePlanSchema } from './active-plan.ts';
import { ADVERTISER_IDS } from './advertisers.ts';

const advertiserSchema = v.picklist(ADVERTISER_IDS);

/** What the pages have to know of an app that is not one of the specification. */
const appFactsSchema = v.object({
  name: v.string(),
  /** The address that opens the app; null for that of the site. */
  scheme: v.nullable(v.string()),
  colour: v.string(),
  /** Those that every step offers, the default first. */
  advertisers: v.array(advertiserSchema),
});
export type AppFacts = v.InferOutput<typeof appFactsSchema>;

/**
 * Compares the zone of an address with the zone that the key of a run goes to. `same`: they are equal. `moves`: the run
 * takes the zone of the address when this browser goes on with it. `other`: they differ, and the visitor has to choose.
 */
const zoneMatchSchema = v.optional(v.picklist(['same', 'moves', 'other']), 'same');

export const runStateSchema = v.object({
  app: v.string(),
  /** What an operator registered of the app; left out for the main app and the companion. */
  about: v.optional(appFactsSchema),
  /** The device's open run, or null when there is none. All times are in epoch milliseconds. */
  run: v.nullable(
    v.object({
      step: v.number(),
      of: v.number(),
      series: v.number(),
      completed: v.array(v.object({ step: v.number(), advertiser: v.string(), at: v.number(), proof: v.string() })),
      /** Whether the server still waits for the advertiser to confirm the current step. */
      waiting: v.boolean(),
      zone: zoneMatchSchema,
      /** Whether the browser that asks has begun the run. Such a browser may go on without a zone in the address. */
      own: v.optional(v.boolean(), false),
      expiresAt: v.number(),
    }),
  ),
  /** The device's key. It is `renewable` when it ends so soon that the next run may begin. */
  key: v.nullable(
    v.object({
      active: v.boolean(),
      expiresAt: v.number(),
      renewable: v.optional(v.boolean(), false),
      /** When that begins; left out for a key that has ended. */
      renewableAt: v.optional(v.number()),
      /** Whether the app has fetched it. */
      isFetched: v.optional(v.boolean()),
      zone: zoneMatchSchema,
    }),
  ),
  /** The paid plan of the device; it needs no run. */
  plan: v.optional(v.nullable(activePlanSchema)),
  /** The plan that the device had until not long ago; left out while it has one. */
  endedPlan: v.optional(v.object({ ...v.pick(activePlanSchema, ['id']).entries, endedAt: v.number() })),
  /** Why and until when this visitor has to wait. `until` is null for a block that only an operator ends. */
  cooldown: v.nullable(v.object({ until: v.nullable(v.number()), reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']) })),
  /** The strikes of this visitor that still count, and for what they were given; left out when there are none. */
  strikes: v.optional(v.object({ count: v.number(), codes: v.array(v.string()) })),
  /** Every advertiser of the app, whether it can be used now, and what is known of its visits. */
  advertisers: v.array(
    v.object({
      id: advertiserSchema,
      ok: v.boolean(),
      /** How long a visit usually takes, in milliseconds. It is left out while too few are known. */
      usualMs: v.optional(v.number()),
      /** How many of 100 visitors who left for it within a day finished. It is left out while too few are known. */
      finishedPercent: v.optional(v.number()),
    }),
  ),
  stepsRequired: v.number(),
  /** How long a run of the app usually takes, in milliseconds. It is left out while too few have been completed. */
  usualRunMs: v.optional(v.number()),
  /** The server's clock, for countdowns. The clock of the visitor's device may be wrong. */
  now: v.number(),
});
export type RunState = v.InferOutput<typeof runStateSchema>;

/** What is known of a run of an app before it begins: how long it usually takes and, of a registered app, the rest. */
export const usualRunSchema = v.object({
  ...v.pick(runStateSchema, ['usualRunMs', 'about']).entries,
  /** How many steps a run takes; left out for the main app and the companion. */
  stepsRequired: v.optional(v.number()),
});
export type UsualRun = v.InferOutput<typeof usualRunSchema>;

export const keyVerdictSchema = v.object({
  valid: v.boolean(),
  code: v.picklist(['VALID', 'EXPIRED', 'REVOKED', 'APP_MISMATCH', 'DEVICE_MISMATCH', 'SIGNATURE', 'UNKNOWN_KID']),
  app: v.string(),
  expiresAt: v.nullable(v.number()),
  now: v.number(),
  /** The same, signed, for who sent a nonce. */
  verdict: v.optional(v.string()),
});

export type ServerVerdict = v.InferOutput<typeof keyVerdictSchema>;
