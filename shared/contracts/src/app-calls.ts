import * as v from 'valibot';
import { readHwid } from './hwid.ts';
import { APP_ID_PATTERN, HWID_PATTERN, trimId, ZONE_PATTERN } from './key-system.ts';

// Pages use none of these: what they read is in key-system-schemas.ts. A page gets every schema of a file that it imports.

export const hwidSchema = v.pipe(
  v.string(),
  v.transform(trimId),
  v.regex(HWID_PATTERN),
  v.check((hwid) => readHwid(hwid) !== undefined, 'must be the id of one device: many devices send this one'),
);

/** A zone that is missing is the empty text. A malformed one is an error. */
export const zoneSchema = v.optional(
  v.pipe(v.string(), v.transform(trimId), v.regex(new RegExp(`^$|${ZONE_PATTERN.source}`))),
  '',
);

export const appIdSchema = v.pipe(v.string(), v.regex(APP_ID_PATTERN));

/** The app whose keys are meant. Calls that name no app mean the main app. */
const appSchema = v.optional(appIdSchema, 'main');

/** The query of the calls that ask for a device's key or for the state of its run. */
export const deviceQuerySchema = v.object({ hwid: hwidSchema, zone: zoneSchema, app: appSchema });

export const usualRunQuerySchema = v.object({ app: appSchema });

/** A random text that a verdict repeats. Who has just made it up knows that the verdict is not an older one. */
export const nonceSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,64}$/));

/** The call that checks a key for a device and an app. With a nonce the answer has a signed verdict. */
export const keyCheckSchema = v.object({
  key: v.pipe(v.string(), v.maxLength(4096)),
  hwid: hwidSchema,
  app: appSchema,
  nonce: v.optional(nonceSchema),
});
export type KeyCheck = v.InferOutput<typeof keyCheckSchema>;

/** The fields of every answer about a device's key: the app that the call meant, and the server's clock. */
const commonFields = { app: appIdSchema, now: v.number() };

const activeStatusSchema = v.object({
  status: v.literal('active'),
  key: v.string(),
  expiresAt: v.number(),
  ...commonFields,
});
const inProgressStatusSchema = v.object({
  status: v.literal('in_progress'),
  step: v.number(),
  of: v.number(),
  ...commonFields,
});
/** The device has no key for this zone. With the reason `zone` it has one that was earned with another zone. */
const noKeyStatusSchema = v.object({
  status: v.literal('none'),
  reason: v.optional(v.literal('zone')),
  ...commonFields,
});

export const keyBlockedSchema = v.object({
  status: v.literal('blocked'),
  until: v.nullable(v.number()),
  reason: v.picklist(['KS_COOLDOWN', 'KS_BLOCKED']),
  ...commonFields,
});

export const keyStatusSchema = v.variant('status', [activeStatusSchema, inProgressStatusSchema, noKeyStatusSchema]);

export const keyAnswerSchema = v.variant('status', [
  activeStatusSchema,
  inProgressStatusSchema,
  noKeyStatusSchema,
  keyBlockedSchema,
]);
export type KeyAnswer = v.InferOutput<typeof keyAnswerSchema>;

export type KeyFinding = KeyAnswer extends infer Answer
  ? Answer extends KeyAnswer
    ? Omit<Answer, keyof typeof commonFields>
    : never
  : never;

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
