import {
  BLOCKED_EXAMPLES,
  CHECK_EXAMPLE,
  PUBLIC_KEYS_EXAMPLES,
  STATE_EXAMPLES,
  STATUS_EXAMPLES,
  VERDICT_EXAMPLES,
  WEBHOOK_EXAMPLES,
} from '@app/contracts/app-examples';
import type { ErrorCode } from '@app/contracts/errors';
import {
  deviceQuerySchema,
  jwksSchema,
  keyBlockedSchema,
  keyCheckSchema,
  keyStatusSchema,
} from '@app/contracts/app-calls';
import { keyVerdictSchema, runStateSchema } from '@app/contracts/key-system-schemas';
import { keyIssuedSchema, keyWithdrawnSchema } from '@app/contracts/webhooks';
import * as v from 'valibot';
import type { Limits } from '#api/product/limits/limits.ts';

/** The groups of calls, each with what it is about. */
export const TAGS = {
  keys: 'Getting a key, and checking it with and without the server.',
  runs: 'How far a device is with its steps.',
  reference: 'What describes these calls.',
  webhooks: 'What this server tells the server of an app, where its author has asked for it.',
} as const;

export interface Operation {
  method: 'get' | 'post';
  path: string;
  tag: keyof typeof TAGS;
  id: string;
  summary: string;
  description: string;
  /** Whether it may be held until its answer changes (`Prefer: wait`). */
  canWait?: true;
  query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  body?: { name: string; schema: v.GenericSchema; example: unknown };
  /** How often it may be asked: the name in the headers `RateLimit`, the setting, and whether verdicts are limited as well. */
  limit?: { name: string; setting: keyof Limits & `${string}PerMinute`; areSigned?: true };
  answers: readonly Answer[];
  /** Its own codes, without those that every call can be refused with. */
  errors: readonly ErrorCode[];
}

interface Answer {
  status: number;
  description: string;
  name: string;
  schema: v.GenericSchema;
  type?: string;
  examples?: Readonly<Record<string, unknown>>;
}

/** All calls for apps. Calls that only the pages of the site make are not listed. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/key',
    tag: 'keys',
    id: 'getKey',
    summary: 'The key of a device, or how far its run is',
    description:
      'To be asked with `Prefer: wait=25`, or every five seconds, while the visitor completes the key system. ' +
      'The answer names the app that was asked for: a companion that does not name itself is told of the main app, and hears `none` for ever. ' +
      'A status that you do not know is one of a later server: ask again.',
    canWait: true,
    query: deviceQuerySchema,
    limit: { name: 'key', setting: 'keysPerMinute' },
    answers: [
      {
        status: 200,
        description:
          '`active`: here is the key. `in_progress`: so many steps are done. `none`: there is no run and no key; with the reason `zone` there is a key, and it was earned with another zone.',
        name: 'KeyStatus',
        schema: keyStatusSchema,
        examples: STATUS_EXAMPLES,
      },
      {
        status: 403,
        description:
          '`blocked`: the device has to wait, until then or, where that is null, until an operator says otherwise.',
        name: 'KeyBlocked',
        schema: keyBlockedSchema,
        examples: BLOCKED_EXAMPLES,
      },
    ],
    errors: ['KS_HWID', 'KS_ZONE', 'KS_APP'],
  },
  {
    method: 'post',
    path: '/api/key/verify',
    tag: 'keys',
    id: 'verifyKey',
    summary: 'Whether a key is good for an app on a device',
    description:
      'Only the server knows of keys that were withdrawn. Where no app is named, the key is checked for the main one. ' +
      'An answer that reaches the app through a function of its host, such as `request` in a script, can be forged. Send a fresh random `nonce`: then `verdict` holds the answer as a JWS, which is checked with the public keys that came with the app. ' +
      'Its header is exactly `alg` (EdDSA), `kid` and `typ` (verdict+jws). Its claims are `v` (1), `nonce`, `aud` (the app), `sub` (the device, as in a key), `key` (the SHA-256 of the key, in base64url; both as they were sent), `code`, `exp` (when the key ends, or null) and `iat`, both in seconds. The app trusts it where nonce, app, device and key are its own and the code is `VALID`.',
    body: { name: 'KeyCheck', schema: keyCheckSchema, example: CHECK_EXAMPLE },
    limit: { name: 'key-check', setting: 'keyChecksPerMinute', areSigned: true },
    answers: [
      {
        status: 200,
        description:
          'What was found, in `code`; only `VALID` opens the app. For a nonce, `verdict` says the same, signed.',
        name: 'KeyVerdict',
        schema: keyVerdictSchema,
        examples: VERDICT_EXAMPLES,
      },
    ],
    errors: ['KS_HWID', 'KS_APP'],
  },
  {
    method: 'get',
    path: '/api/keysystem/state',
    tag: 'runs',
    id: 'getState',
    summary: 'Where a device stands in the key system',
    description:
      'What the pages of the key system show: the steps that are done, the time that is left, and which advertisers answer.',
    canWait: true,
    query: deviceQuerySchema,
    limit: { name: 'state', setting: 'statesPerMinute' },
    answers: [
      {
        status: 200,
        description: 'The open run, the key and the wait of the device, each where there is one.',
        name: 'RunState',
        schema: runStateSchema,
        examples: STATE_EXAMPLES,
      },
    ],
    errors: ['KS_HWID', 'KS_ZONE', 'KS_APP'],
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    tag: 'keys',
    id: 'getPublicKeys',
    summary: 'The public keys that keys are checked with',
    description:
      'For checking keys without the server. Ship them with the app, and fetch them again at times: a key that is to sign next is here a day before it does. Pages of any site may read them.',
    answers: [
      {
        status: 200,
        description: 'A JSON Web Key Set.',
        name: 'PublicKeys',
        schema: jwksSchema,
        type: 'application/jwk-set+json',
        examples: PUBLIC_KEYS_EXAMPLES,
      },
    ],
    errors: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    tag: 'reference',
    id: 'getReference',
    summary: 'This document',
    description: 'Generated from the schemas that the routes parse with. Pages of any site may read it.',
    answers: [
      {
        status: 200,
        description: 'OpenAPI 3.1.',
        name: 'Reference',
        schema: v.looseObject({}),
      },
    ],
    errors: [],
  },
];

const DELIVERY =
  'Sent to an address that the operators of this site have noted for the app. It comes at least once, and may come twice or after a later one: the `webhook-id` stays the same. Whatever is not answered with 2xx within 10 seconds comes again, ten times in 16 hours.';

/** The headers of each message (standardwebhooks.com): name, meaning, example. */
export const WEBHOOK_HEADERS = [
  ['webhook-id', 'The id of the message, the same at each try.', '01a2194f3a00t2jJEwy4V1HjhgVJvGaX4Q'],
  [
    'webhook-timestamp',
    'When this try was sent, in seconds since 1970. Refuse what is older than five minutes.',
    '1800000000',
  ],
  [
    'webhook-signature',
    'One or more signatures with spaces between them: `v1,` and the HMAC-SHA256, in base64, of id, timestamp and body with dots between them. The key is what follows `whsec_` in the secret, decoded from base64.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ],
] as const;

export const WEBHOOKS = [
  {
    type: 'key.issued',
    id: 'onKeyIssued',
    summary: 'A device has got a key',
    description: DELIVERY,
    name: 'KeyIssued',
    schema: keyIssuedSchema,
    example: WEBHOOK_EXAMPLES['key.issued'],
  },
  {
    type: 'key.withdrawn',
    id: 'onKeyWithdrawn',
    summary: 'A key ends before its time',
    description: `${DELIVERY} Where a whole signing key is withdrawn, its keys are not told one by one.`,
    name: 'KeyWithdrawn',
    schema: keyWithdrawnSchema,
    example: WEBHOOK_EXAMPLES['key.withdrawn'],
  },
] as const;
