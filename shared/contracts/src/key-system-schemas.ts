import * as v from 'valibot';
import { ADVERTISER_IDS, APP_IDS } from './key-system.ts';

/**
 * How the zone of an address stands to the one that a run's key goes to: the same, one that the run moves to when this
 * browser goes on with it, or another one, so that the visitor has to be asked.
 */
const zoneStandingSchema = v.optional(v.picklist(['same', 'moves', 'other']), 'same');

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
      zone: zoneStandingSchema,
      /** It was begun in the browser that asks: so that one goes on with a run whose address never had a zone. */
      own: v.optional(v.boolean(), false),
      expiresAt: v.number(),
    }),
  ),
  /** `renewable` once the key has so little left that the next run may begin. */
  key: v.nullable(v.object({ active: v.boolean(), expiresAt: v.number(), renewable: v.optional(v.boolean(), false), zone: zoneStandingSchema })),
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

/** What the server finds when it checks a key. */
export const keyVerdictSchema = v.object({
  valid: v.boolean(),
  code: v.picklist(['VALID', 'EXPIRED', 'REVOKED', 'DEVICE_MISMATCH', 'SIGNATURE', 'UNKNOWN_KID']),
  expiresAt: v.nullable(v.number()),
  now: v.number(),
});

/** What the app is told when it asks for its key. */
export const keyAnswerSchema = v.variant('status', [
  v.object({ status: v.literal('active'), key: v.string(), expiresAt: v.number(), now: v.number() }),
  v.object({ status: v.literal('in_progress'), step: v.number(), of: v.number() }),
  v.object({ status: v.literal('none') }),
  v.object({ status: v.literal('blocked'), until: v.nullable(v.number()), reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']) }),
]);
export type KeyAnswer = v.InferOutput<typeof keyAnswerSchema>;
