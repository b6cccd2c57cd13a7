import * as v from 'valibot';
import { ADVERTISER_IDS, APP_IDS, HWID_PATTERN, ZONE_PATTERN } from './key-system.ts';

export const hwidSchema = v.pipe(v.string(), v.regex(HWID_PATTERN));

/** The zone may be missing, but not malformed. */
export const zoneSchema = v.optional(v.union([v.literal(''), v.pipe(v.string(), v.regex(ZONE_PATTERN))]), '');

/** Whose keys are meant. A companion that does not name itself is told of the main app's. */
const appSchema = v.optional(v.picklist(APP_IDS), 'main');

/** What is asked with of a device: its key, or where it stands. */
export const deviceQuerySchema = v.object({ hwid: hwidSchema, zone: zoneSchema, app: appSchema });

/** A key to be checked, with the device and the app that it should be for. */
export const keyCheckSchema = v.object({
  key: v.pipe(v.string(), v.maxLength(4096)),
  hwid: hwidSchema,
  app: appSchema,
});
export type KeyCheck = v.InferOutput<typeof keyCheckSchema>;

/**
 * How the zone of an address stands to the one that a run's key goes to: the same, one that the run moves to when this
 * browser goes on with it, or another one, so that the visitor has to be asked.
 */
const zoneMatchSchema = v.optional(v.picklist(['same', 'moves', 'other']), 'same');

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
      zone: zoneMatchSchema,
      /** It was begun in the browser that asks: so that one goes on with a run whose address never had a zone. */
      own: v.optional(v.boolean(), false),
      expiresAt: v.number(),
    }),
  ),
  /** `renewable` once the key has so little left that the next run may begin. */
  key: v.nullable(
    v.object({
      active: v.boolean(),
      expiresAt: v.number(),
      renewable: v.optional(v.boolean(), false),
      zone: zoneMatchSchema,
    }),
  ),
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

/** What the server finds when it checks a key for an app. */
export const keyVerdictSchema = v.object({
  valid: v.boolean(),
  code: v.picklist(['VALID', 'EXPIRED', 'REVOKED', 'APP_MISMATCH', 'DEVICE_MISMATCH', 'SIGNATURE', 'UNKNOWN_KID']),
  /** The app that the key was checked for. */
  app: v.picklist(APP_IDS),
  expiresAt: v.nullable(v.number()),
  now: v.number(),
});

export type ServerVerdict = v.InferOutput<typeof keyVerdictSchema>;

/** Every answer says whose key was asked for, since who names no app asks for the main one's, and the server's clock. */
const asked = { app: v.picklist(APP_IDS), now: v.number() };

const active = v.object({ status: v.literal('active'), key: v.string(), expiresAt: v.number(), ...asked });
const inProgress = v.object({ status: v.literal('in_progress'), step: v.number(), of: v.number(), ...asked });
/** `zone`: there is a key, and it was earned with another zone. */
const none = v.object({ status: v.literal('none'), reason: v.optional(v.literal('zone')), ...asked });

/** What travels under 403. */
export const keyBlockedSchema = v.object({
  status: v.literal('blocked'),
  until: v.nullable(v.number()),
  reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']),
  ...asked,
});

/** What travels under 200. */
export const keyStatusSchema = v.variant('status', [active, inProgress, none]);

/** What the app is told when it asks for its key. */
export const keyAnswerSchema = v.variant('status', [active, inProgress, none, keyBlockedSchema]);
export type KeyAnswer = v.InferOutput<typeof keyAnswerSchema>;

/** What is found out about a device's key, before it is said whose and when. */
export type KeyFinding = KeyAnswer extends infer Answer
  ? Answer extends KeyAnswer
    ? Omit<Answer, keyof typeof asked>
    : never
  : never;

/** The public keys, as `/.well-known/jwks.json` has them. */
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
