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

/** One call for apps: the schemas of its input, its answers, and its error codes. */
export interface Operation {
  method: 'get' | 'post';
  path: string;
  id: string;
  summary: string;
  description: string;
  query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  body?: v.GenericSchema;
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
}

/** All calls for apps. Calls that only the pages of the site make are not listed. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/key',
    id: 'getKey',
    summary: 'The key of a device, or how far its run is',
    description:
      'To be asked every five seconds while the visitor completes the key system. ' +
      'The answer names the app that was asked for: a companion that does not name itself is told of the main app, and hears `none` for ever.',
    query: deviceQuerySchema,
    answers: [
      {
        status: 200,
        description:
          '`active`: here is the key. `in_progress`: so many steps are done. `none`: there is no run and no key; with the reason `zone` there is a key, and it was earned with another zone.',
        name: 'KeyStatus',
        schema: keyStatusSchema,
      },
      {
        status: 403,
        description:
          '`blocked`: the device has to wait, until then or, where that is null, until an operator says otherwise.',
        name: 'KeyBlocked',
        schema: keyBlockedSchema,
      },
    ],
    errors: ['KS_HWID', 'KS_ZONE'],
  },
  {
    method: 'post',
    path: '/api/key/verify',
    id: 'verifyKey',
    summary: 'Whether a key is good for an app on a device',
    description:
      'Only the server knows of keys that were withdrawn. Where no app is named, the key is checked for the main one. ' +
      'An answer that reaches the app through a function of its host, such as `request` in a script, can be forged. Send a fresh random `nonce`: then `verdict` holds the answer as a JWS, which is checked with the public keys that came with the app. ' +
      'Its header is exactly `alg` (EdDSA), `kid` and `typ` (verdict+jws). Its claims are `v` (1), `nonce`, `aud` (the app), `sub` (the device, as in a key), `key` (the SHA-256 of the text of the key, in base64url), `code`, `exp` (when the key ends, or null) and `iat`, both in seconds. The app trusts it where nonce, app, device and key are its own and the code is `VALID`.',
    body: keyCheckSchema,
    answers: [
      {
        status: 200,
        description:
          'What was found, in `code`; only `VALID` opens the app. For a nonce, `verdict` says the same, signed.',
        name: 'KeyVerdict',
        schema: keyVerdictSchema,
      },
    ],
    errors: ['KS_HWID'],
  },
  {
    method: 'get',
    path: '/api/keysystem/state',
    id: 'getState',
    summary: 'Where a device stands in the key system',
    description:
      'What the pages of the key system show: the steps that are done, the time that is left, and which advertisers answer.',
    query: deviceQuerySchema,
    answers: [
      {
        status: 200,
        description: 'The open run, the key and the wait of the device, each where there is one.',
        name: 'RunState',
        schema: runStateSchema,
      },
    ],
    errors: ['KS_HWID', 'KS_ZONE'],
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
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
      },
    ],
    errors: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'getReference',
    summary: 'This document',
    description: 'Generated from the schemas that the routes parse with. Pages of any site may read it.',
    answers: [{ status: 200, description: 'OpenAPI 3.1.', name: 'Reference', schema: v.looseObject({}) }],
    errors: [],
  },
];
