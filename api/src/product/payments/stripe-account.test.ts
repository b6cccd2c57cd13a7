import { expect, test } from 'vitest';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { PRODUCTION } from '#api/test/production-settings.ts';
import { readStripeAccount } from './stripe.ts';

const KEYS = { STRIPE_SECRET_KEY: 'sk_live_1234567890', STRIPE_WEBHOOK_SECRET: 'whsec_1234567890123456' };

test('a development server without an account has the fake Stripe', () => {
  expect(readStripeAccount(parseEnv({}))).toBe('sandbox');
});

test('threat 19: in production there is no fake Stripe, so without an account no plan can be bought', () => {
  expect(readStripeAccount(parseEnv(PRODUCTION))).toBeUndefined();
});

test('with an account buyers are sent to Stripe’s own page alone', () => {
  expect(readStripeAccount(parseEnv({ ...PRODUCTION, ...KEYS }))).toEqual({
    secretKey: KEYS.STRIPE_SECRET_KEY,
    webhookSecret: KEYS.STRIPE_WEBHOOK_SECRET,
    apiOrigin: 'https://api.stripe.com',
    pageOrigins: ['https://checkout.stripe.com'],
  });
});

test('tests can put a server of this machine in the place of Stripe', () => {
  const standIn = 'http://127.0.0.1:4000';
  const keys = { ...KEYS, STRIPE_SECRET_KEY: 'sk_test_1234567890' };

  expect(readStripeAccount(parseEnv({ ...keys, TEST_STRIPE_ORIGIN: standIn }))).toMatchObject({
    apiOrigin: standIn,
    pageOrigins: [standIn],
  });
});
