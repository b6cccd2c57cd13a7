import type * as v from 'valibot';
import type { jwksSchema, keyBlockedSchema, KeyCheck, keyStatusSchema } from './app-calls.ts';
import type { RunState, ServerVerdict } from './key-system-schemas.ts';
import type { WEBHOOK_EVENTS, WebhookMessage } from './webhooks.ts';

const NOW = 1_800_000_000_000;
const TOMORROW = NOW + 86_400_000;
const COMMON_FIELDS = { app: 'main', now: NOW } as const;

/** Cut short, as a text: nobody can take them for keys. */
const KEY = 'eyJhbGciOiJFZERTQSIsImtpZCI6IjIwMjYtMTEiLCJ0eXAiOiJrZXkrandzIn0.eyJ…';
const VERDICT = 'eyJhbGciOiJFZERTQSIsImtpZCI6IjIwMjYtMTEiLCJ0eXAiOiJ2ZXJkaWN0K2p3cyJ9.eyJ…';

/** What the reference and the page for authors show: what the calls for apps are asked, and one of each kind of answer. */
export const CHECK_EXAMPLE = {
  key: KEY,
  hwid: 'demo-device-0001',
  app: 'main',
  nonce: 'hN3bq0vYt7mQ2xWk',
} satisfies KeyCheck;

export const STATUS_EXAMPLES = {
  active: { status: 'active', key: KEY, expiresAt: TOMORROW, ...COMMON_FIELDS },
  in_progress: { status: 'in_progress', step: 2, of: 6, ...COMMON_FIELDS },
  none: { status: 'none', ...COMMON_FIELDS },
  zone: { status: 'none', reason: 'zone', ...COMMON_FIELDS },
} satisfies Record<string, v.InferOutput<typeof keyStatusSchema>>;

export const BLOCKED_EXAMPLES = {
  blocked: { status: 'blocked', until: TOMORROW, reason: 'KS_COOLDOWN', ...COMMON_FIELDS },
} satisfies Record<string, v.InferOutput<typeof keyBlockedSchema>>;

export const VERDICT_EXAMPLES = {
  valid: { valid: true, code: 'VALID', expiresAt: TOMORROW, verdict: VERDICT, ...COMMON_FIELDS },
  revoked: { valid: false, code: 'REVOKED', expiresAt: TOMORROW, verdict: VERDICT, ...COMMON_FIELDS },
  damaged: { valid: false, code: 'SIGNATURE', expiresAt: null, ...COMMON_FIELDS },
} satisfies Record<string, ServerVerdict>;

export const STATE_EXAMPLES = {
  running: {
    ...COMMON_FIELDS,
    run: {
      step: 2,
      of: 6,
      series: 1,
      completed: [{ step: 1, advertiser: 'linkvertise', at: NOW - 60_000, proof: 'api' }],
      waiting: false,
      zone: 'same',
      own: false,
      expiresAt: NOW + 3_600_000,
    },
    key: null,
    plan: null,
    cooldown: null,
    advertisers: [{ id: 'linkvertise', ok: true }],
    stepsRequired: 6,
  },
} satisfies Record<string, RunState>;

export const PUBLIC_KEYS_EXAMPLES = {
  // The key of RFC 8037, which signs nothing here.
  keys: {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        kid: '2026-11',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        alg: 'EdDSA',
        use: 'sig',
      },
    ],
  },
} satisfies Record<string, v.InferOutput<typeof jwksSchema>>;

const ISSUED_KEY = {
  app: 'main',
  jti: '01a2194f3a00hN3bq0vYt7mQ2xWkhN3bq0',
  sub: 'CRLY7fXXPLqVzqSltDNqzk7gH4GpWCVWvk_PtqyOHgc',
  src: 'ads',
  issuedAt: NOW,
  expiresAt: TOMORROW,
} as const;

export const WEBHOOK_EXAMPLES = {
  'key.issued': { version: '1', timestamp: '2027-01-15T08:00:00.000Z', data: ISSUED_KEY, type: 'key.issued' },
  'key.withdrawn': {
    version: '1',
    timestamp: '2027-01-15T09:00:00.000Z',
    data: { ...ISSUED_KEY, withdrawnAt: NOW + 3_600_000 },
    type: 'key.withdrawn',
  },
} satisfies Record<(typeof WEBHOOK_EVENTS.app)[number], WebhookMessage>;
