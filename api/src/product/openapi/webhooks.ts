import { keyIssuedSchema, keyWithdrawnSchema } from '@app/contracts/webhooks';

const KEY = {
  app: 'main',
  jti: '01a2194f3a00hN3bq0vYt7mQ2xWkhN3bq0',
  sub: 'CRLY7fXXPLqVzqSltDNqzk7gH4GpWCVWvk_PtqyOHgc',
  src: 'ads',
  issuedAt: 1_800_000_000_000,
  expiresAt: 1_800_086_400_000,
} as const;

const SENT =
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

/** What the servers of app authors are told. */
export const WEBHOOKS = [
  {
    type: 'key.issued',
    id: 'onKeyIssued',
    summary: 'A device has got a key',
    description: SENT,
    name: 'KeyIssued',
    schema: keyIssuedSchema,
    example: { version: '1', timestamp: '2027-01-15T08:00:00.000Z', data: KEY },
  },
  {
    type: 'key.withdrawn',
    id: 'onKeyWithdrawn',
    summary: 'A key ends before its time',
    description: `${SENT} Where a whole signing key is withdrawn, its keys are not told one by one.`,
    name: 'KeyWithdrawn',
    schema: keyWithdrawnSchema,
    example: {
      version: '1',
      timestamp: '2027-01-15T09:00:00.000Z',
      data: { ...KEY, withdrawnAt: 1_800_003_600_000 },
    },
  },
] as const;
