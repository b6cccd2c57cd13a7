import type { ErrorCode } from '@app/contracts/errors';
import {
  deviceQuerySchema,
  jwksSchema,
  keyBlockedSchema,
  keyCheckSchema,
  keyStatusSchema,
} from '@app/contracts/app-calls';
import { keyVerdictSchema, runStateSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import type { Limits } from '#api/product/limits/limits.ts';
import { EXAMPLES } from './examples.ts';

/** The groups of calls, each with what it is about. */
export const TAGS = {
  keys: 'Getting a key, and checking it with and without the server.',
  runs: 'How far a device is with its steps.',
  reference: 'What describes these calls.',
  webhooks: 'What this server tells the server of an app, where its author has asked for it.',
} as const;

/** One call for apps: the schemas of its input, its answers, and its error codes. */
export interface Operation {
  method: 'get' | 'post';
  path: string;
  tag: keyof typeof TAGS;
  id: string;
  summary: string;
  description: string;
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
  /** The name of the schema in the document. */
  name: string;
  schema: v.GenericSchema;
  type?: string;
  /** One for each kind of answer. */
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
      'To be asked every five seconds while the visitor completes the key system. ' +
      'The answer names the app that was asked for: a companion that does not name itself is told of the main app, and hears `none` for ever. ' +
      'A status that you do not know is one of a later server: ask again.',
    query: deviceQuerySchema,
    limit: { name: 'key', setting: 'keysPerMinute' },
    answers: [
      {
        status: 200,
        description:
          '`active`: here is the key. `in_progress`: so many steps are done. `none`: there is no run and no key; with the reason `zone` there is a key, and it was earned with another zone.',
        name: 'KeyStatus',
        schema: keyStatusSchema,
        examples: EXAMPLES.statuses,
      },
      {
        status: 403,
        description:
          '`blocked`: the device has to wait, until then or, where that is null, until an operator says otherwise.',
        name: 'KeyBlocked',
        schema: keyBlockedSchema,
        examples: EXAMPLES.blocked,
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
    body: { name: 'KeyCheck', schema: keyCheckSchema, example: EXAMPLES.check },
    limit: { name: 'key-check', setting: 'keyChecksPerMinute', areSigned: true },
    answers: [
      {
        status: 200,
        description:
          'What was found, in `code`; only `VALID` opens the app. For a nonce, `verdict` says the same, signed.',
        name: 'KeyVerdict',
        schema: keyVerdictSchema,
        examples: EXAMPLES.verdicts,
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
    query: deviceQuerySchema,
    limit: { name: 'state', setting: 'statesPerMinute' },
    answers: [
      {
        status: 200,
        description: 'The open run, the key and the wait of the device, each where there is one.',
        name: 'RunState',
        schema: runStateSchema,
        examples: EXAMPLES.states,
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
        examples: EXAMPLES.publicKeys,
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
