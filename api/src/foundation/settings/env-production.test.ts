import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseEnv } from './env.ts';
import { PRODUCTION } from '#api/test/production-settings.ts';

describe('in production', () => {
  test('the required settings suffice in production', () => {
    expect(parseEnv(PRODUCTION)).toMatchObject({ ...PRODUCTION, TRUST_PROXY: 1 });
  });

  test.each(['BASE_URL', 'TRUST_PROXY', 'HWID_PEPPER', 'SIGNING_KEY_FILE', 'ADVERTISERS_FILE', 'MAIL_FROM'])(
    'threat 19: a missing %s stops the start with its name',
    (name) => {
      expect(() => parseEnv({ ...PRODUCTION, [name]: undefined })).toThrow(`${name}: must be set in production`);
    },
  );

  test.each([
    ['BASE_URL', 'http://example.com'],
    ['BASE_URL', 'http://localhost:3000'],
    ['CONTENT_URL', 'http://host.example/status'],
    ['CONTENT_API_URL', 'HTTP://host.example/status'],
  ])('threat 19: an unencrypted %s (%s) stops the start', (name, value) => {
    expect(() => parseEnv({ ...PRODUCTION, [name]: value })).toThrow(`${name}: must begin with https: in production`);
  });

  test('an address with a scheme other than http or https stops the start', () => {
    const BASE_URL = 'wss://example.com';
    expect(() => parseEnv({ ...PRODUCTION, BASE_URL })).toThrow('BASE_URL: must be an http(s) address');
  });

  test.each([
    'p'.repeat(32),
    'ab'.repeat(20),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '0123456789abcdef0123456789abcdef',
    'hunter2-hunter2-hunter2-hunter2-hunter2',
    'please-change-me-before-going-to-use-1',
    'my-very-own-password-that-is-unknown',
  ])('threat 19: the guessable pepper %s stops the start', (HWID_PEPPER) => {
    expect(() => parseEnv({ ...PRODUCTION, HWID_PEPPER })).toThrow(
      'HWID_PEPPER: is easily guessed; make one with: openssl rand -hex 32',
    );
  });

  test.each(['SIGNER_SECRET', 'QA_ACCESS_KEY'])('threat 19: a guessable %s stops the start', (name) => {
    expect(() => parseEnv({ ...PRODUCTION, [name]: 'ab'.repeat(20) })).toThrow(`${name}: is easily guessed`);
  });

  test('a random pepper is accepted', () => {
    for (let tries = 0; tries < 200; tries++) {
      for (const HWID_PEPPER of [
        randomBytes(16).toString('hex'),
        randomBytes(32).toString('hex'),
        randomBytes(24).toString('base64url'),
      ]) {
        expect(parseEnv({ ...PRODUCTION, HWID_PEPPER })).toMatchObject({ HWID_PEPPER });
      }
    }
  });

  test.each([
    ['RECAPTCHA_SITE_KEY', '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI'],
    ['RECAPTCHA_SECRET', '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe'],
  ])('threat 19: Google’s public test %s stops the start with its name', (name, key) => {
    const keys = {
      CAPTCHA_PROVIDER: 'recaptcha',
      RECAPTCHA_SITE_KEY: 'site-key',
      RECAPTCHA_SECRET: 'secret',
      [name]: key,
    };

    expect(() => parseEnv({ ...PRODUCTION, ...keys })).toThrow(
      `${name}: is Google's key for tests and refused in production`,
    );
    expect(parseEnv(keys)).toMatchObject(keys);
  });

  test.each([
    ['TEST_MIN_DWELL_MS', '1', 'for tests'],
    ['TEST_CAPTCHA_COST', '1', 'for tests'],
    ['TEST_CAPTCHA_ROUNDS', '1', 'for tests'],
    ['TEST_CLOCK_OFFSET_MS', '1', 'for tests'],
    ['TEST_RECAPTCHA_ORIGIN', 'http://127.0.0.1:4000', 'for tests'],
    ['DEV_UPDATES_URL', 'ws://127.0.0.1:8080', 'for npm run dev'],
  ])('threat 19: %s (%s), which is %s, stops the start with its name', (name, value, purpose) => {
    expect(() => parseEnv({ ...PRODUCTION, [name]: value })).toThrow(
      `${name}: is ${purpose} and refused in production`,
    );
    expect(parseEnv({ [name]: value })).toMatchObject({ [name]: value === '1' ? 1 : value });
  });

  const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_1234567890', STRIPE_WEBHOOK_SECRET: 'whsec_1234567890123456' };

  test.each(['sk_test_1234567890', 'rk_test_1234567890'])(
    'threat 19: the Stripe test key %s stops the start with its name',
    (STRIPE_SECRET_KEY) => {
      const keys = { ...STRIPE, STRIPE_SECRET_KEY };

      expect(() => parseEnv({ ...PRODUCTION, ...keys })).toThrow(
        'STRIPE_SECRET_KEY: is a key for tests and refused in production',
      );
      expect(parseEnv(keys)).toMatchObject(keys);
      expect(parseEnv({ ...PRODUCTION, ...STRIPE })).toMatchObject(STRIPE);
    },
  );

  test('threat 19: a Stripe address for tests stops the start with its name', () => {
    expect(() => parseEnv({ ...PRODUCTION, ...STRIPE, TEST_STRIPE_ORIGIN: 'http://127.0.0.1:4000' })).toThrow(
      'TEST_STRIPE_ORIGIN: is for tests and refused in production',
    );
  });
});
