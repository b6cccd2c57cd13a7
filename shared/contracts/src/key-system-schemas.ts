import * as v from 'valibot';
import { activePlanSchema } from './active-plan.ts';
import { ADVERTISER_IDS, APP_IDS, HWID_PATTERN, ZONE_PATTERN } from './key-system.ts';

export const hwidSchema = v.pipe(v.string(), v.regex(HWID_PATTERN));

/** A zone that is missing is the empty text. A malformed one is an error. */
export const zoneSchema = v.optional(v.union([v.literal(''), v.pipe(v.string(), v.regex(ZONE_PATTERN))]), '');

/** The app whose keys are meant. Calls that name no app mean the main app. */
const appSchema = v.optional(v.picklist(APP_IDS), 'main');

/** The query of the calls that ask for a device's key or for the state of its run. */
export const deviceQuerySchema = v.object({ hwid: hwidSchema, zone: zoneSchema, app: appSchema });

/** The body of the call that checks a key: the key, and the device and app that it should be for. */
export const keyCheckSchema = v.object({
  key: v.pipe(v.string(), v.maxLength(4096)),
  hwid: hwidSchema,
  app: appSchema,
});
export type KeyCheck = v.InferOutput<typeof keyCheckSchema>;

/**
 * Compares the zone of an address with the zone that the key of a run goes to. `same`: they are equal. `moves`: the run
 * takes the zone of the address when this browser goes on with it. `other`: they differ, and the visitor has to choose.
 */
const zoneMatchSchema = v.optional(v.picklist(['same', 'moves', 'other']), 'same');

export const runStateSchema = v.object({
  app: v.picklist(APP_IDS),
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
      zone: zoneMatchSchema,
    }),
  ),
  /** The paid plan of the device; it needs no run. */
  plan: v.optional(v.nullable(activePlanSchema)),
  /** Why and until when this visitor has to wait. `until` is null for a block that only an operator ends. */
  cooldown: v.nullable(v.object({ until: v.nullable(v.number()), reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']) })),
  /** Every advertiser of the app, and whether it can be used now. */
  advertisers: v.array(v.object({ id: v.picklist(ADVERTISER_IDS), ok: v.boolean() })),
  /** How many steps a new run takes. */
  stepsRequired: v.number(),
  /** How long a run of the app usually takes, in milliseconds. It is left out while too few have been completed. */
  usualRunMs: v.optional(v.number()),
  /** The server's clock, for countdowns. The clock of the visitor's device may be wrong. */
  now: v.number(),
});
export type RunState = v.InferOutput<typeof runStateSchema>;

/** The server's answer when it checks a key for an app. */
export const keyVerdictSchema = v.object({
  valid: v.boolean(),
  code: v.picklist(['VALID', 'EXPIRED', 'REVOKED', 'APP_MISMATCH', 'DEVICE_MISMATCH', 'SIGNATURE', 'UNKNOWN_KID']),
  /** The app that the key was checked for. */
  app: v.picklist(APP_IDS),
  expiresAt: v.nullable(v.number()),
  now: v.number(),
});

export type ServerVerdict = v.InferOutput<typeof keyVerdictSchema>;

/** The fields of every answer about a device's key: the app that the call meant, and the server's clock. */
const asked = { app: v.picklist(APP_IDS), now: v.number() };

const active = v.object({ status: v.literal('active'), key: v.string(), expiresAt: v.number(), ...asked });
const inProgress = v.object({ status: v.literal('in_progress'), step: v.number(), of: v.number(), ...asked });
/** The device has no key for this zone. With the reason `zone` it has one that was earned with another zone. */
const none = v.object({ status: v.literal('none'), reason: v.optional(v.literal('zone')), ...asked });

/** The answer with status 403. */
export const keyBlockedSchema = v.object({
  status: v.literal('blocked'),
  until: v.nullable(v.number()),
  reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']),
  ...asked,
});

/** The answers with status 200. */
export const keyStatusSchema = v.variant('status', [active, inProgress, none]);

/** All answers to an app that asks for the key of a device. */
export const keyAnswerSchema = v.variant('status', [active, inProgress, none, keyBlockedSchema]);
export type KeyAnswer = v.InferOutput<typeof keyAnswerSchema>;

/** An answer without the fields that all answers have. */
export type KeyFinding = KeyAnswer extends infer Answer
  ? Answer extends KeyAnswer
    ? Omit<Answer, keyof typeof asked>
    : never
  : never;

/** The answer of `/.well-known/jwks.json`: the public keys. */
export const jwksSchema = v.object({
  keys: v.array(
    v.object({
      kty: v.literal('OKP'),
      crv: v.literal('Ed25519'),
      kid: v.string(),
      x: v.string(),
      alg: v.literal('EdDSA'),
      use: v.literal('sig'),
    }),
  ),
});
