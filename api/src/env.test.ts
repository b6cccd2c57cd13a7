import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EnvError, parseEnv } from './env.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://example.com',
  HWID_PEPPER: 'p'.repeat(32),
  SIGNING_KEY_FILE: '/secrets/signing-key.json',
  ADVERTISERS_FILE: '/secrets/advertisers.json',
};

test('with no settings at all the server is a development server on this machine', () => {
  expect(parseEnv({})).toEqual({
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: 3000,
    TRUST_PROXY: 0,
    DATA_DIR: resolve('./var'),
    CAPTCHA_PROVIDER: 'altcha',
    LAUNCH_URL: 'roblox://',
    CHUNK_TIMEOUT_MS: 120_000,
    LIVE_MAX_SOCKETS: 20_000,
    LIVE_MAX_SOCKETS_PER_NETWORK: 500,
  });
});

test('an empty setting counts as one that was not made', () => {
  expect(parseEnv({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
});

test('port 0 lets the system choose', () => {
  expect(parseEnv({ PORT: '0' }).PORT).toBe(0);
});

test('the base address is kept as an origin', () => {
  expect(parseEnv({ BASE_URL: 'https://Example.com:443/' }).BASE_URL).toBe('https://example.com');
});

test.each([
  ['https://raw.host.example/team/status/main', 'https://raw.host.example/team/status/main'],
  ['https://Host.example/status/', 'https://host.example/status'],
  ['http://localhost:4000', 'http://localhost:4000'],
])('the content address %s is kept as %s, so that a file name can follow', (given, kept) => {
  expect(parseEnv({ CONTENT_URL: given }).CONTENT_URL).toBe(kept);
});

test.each([
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '3000x'],
  ['BASE_URL', 'example.com'],
  ['BASE_URL', 'ftp://example.com'],
  ['BASE_URL', 'https://example.com/path'],
  ['DATABASE_URL', 'mysql://localhost/app'],
  ['TRUST_PROXY', 'true'],
  ['HWID_PEPPER', 'short'],
  ['CAPTCHA_PROVIDER', 'none'],
  ['RECAPTCHA_HOSTNAMES', 'https://site.example'],
  ['RECAPTCHA_HOSTNAMES', 'site.example,,'],
  ['TEST_RECAPTCHA_ORIGIN', 'https://www.google.com'],
  ['DEV_UPDATES_URL', 'ws://updates.example:8080'],
  ['CONTENT_URL', '/content'],
  ['CONTENT_URL', 'ftp://host.example/content'],
  ['CONTENT_URL', 'https://host.example/content?file='],
  ['CONTENT_URL', 'https://user:word@host.example/content'],
  ['LIVE_MAX_SOCKETS', '0'],
  ['LIVE_MAX_SOCKETS_PER_NETWORK', 'many'],
  ['LAUNCH_URL', 'javascript:alert(1)'],
  ['CHUNK_TIMEOUT_MS', '1'],
  ['NODE_ENV', 'staging'],
])('a bad %s (%s) stops the start with its name', (name, value) => {
  expect(() => parseEnv({ [name]: value })).toThrow(EnvError);
  expect(() => parseEnv({ [name]: value })).toThrow(new RegExp(`^${name}: `));
});

test('reCAPTCHA needs its two keys, and knows the names it may be solved on', () => {
  const keys = { CAPTCHA_PROVIDER: 'recaptcha', RECAPTCHA_SITE_KEY: 'site-key', RECAPTCHA_SECRET: 'secret' };

  expect(parseEnv({ ...keys, RECAPTCHA_HOSTNAMES: 'Site.example, www.site.example' }).RECAPTCHA_HOSTNAMES).toEqual(['site.example', 'www.site.example']);
  expect(() => parseEnv({ ...keys, RECAPTCHA_SITE_KEY: '' })).toThrow('RECAPTCHA_SITE_KEY: must be set for CAPTCHA_PROVIDER=recaptcha');
  expect(() => parseEnv({ ...keys, RECAPTCHA_SECRET: '' })).toThrow('RECAPTCHA_SECRET: must be set for CAPTCHA_PROVIDER=recaptcha');
});

describe('in production', () => {
  test('everything that is needed is enough', () => {
    expect(parseEnv(PRODUCTION)).toMatchObject(PRODUCTION);
  });

  test.each(['BASE_URL', 'HWID_PEPPER', 'SIGNING_KEY_FILE', 'ADVERTISERS_FILE'])('row 19: a missing %s stops the start with its name', (name) => {
    expect(() => parseEnv({ ...PRODUCTION, [name]: undefined })).toThrow(`${name}: must be set in production`);
  });

  test.each([
    ['RECAPTCHA_SITE_KEY', '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI'],
    ['RECAPTCHA_SECRET', '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe'],
  ])('row 19: Google’s own %s for tests stops the start with its name', (name, key) => {
    const keys = { CAPTCHA_PROVIDER: 'recaptcha', RECAPTCHA_SITE_KEY: 'site-key', RECAPTCHA_SECRET: 'secret', [name]: key };

    expect(() => parseEnv({ ...PRODUCTION, ...keys })).toThrow(`${name}: is Google's key for tests and refused in production`);
    expect(parseEnv(keys)).toMatchObject(keys);
  });

  test.each(['TEST_MIN_DWELL_MS', 'TEST_CAPTCHA_COST', 'TEST_CLOCK_OFFSET_MS'])('row 19: %s, which is for tests, stops the start with its name', (name) => {
    expect(() => parseEnv({ ...PRODUCTION, [name]: '1' })).toThrow(`${name}: is for tests and refused in production`);
    expect(parseEnv({ [name]: '1' })).toMatchObject({ [name]: 1 });
  });

  test('row 19: a stand-in for Google stops the start with its name', () => {
    const standIn = { TEST_RECAPTCHA_ORIGIN: 'http://127.0.0.1:4000' };

    expect(() => parseEnv({ ...PRODUCTION, ...standIn })).toThrow('TEST_RECAPTCHA_ORIGIN: is for tests and refused in production');
    expect(parseEnv(standIn)).toMatchObject(standIn);
  });

  test('pages that take over what is edited stop the start with their setting', () => {
    const edited = { DEV_UPDATES_URL: 'ws://127.0.0.1:8080' };

    expect(() => parseEnv({ ...PRODUCTION, ...edited })).toThrow('DEV_UPDATES_URL: is for npm run dev and refused in production');
    expect(parseEnv(edited)).toMatchObject(edited);
  });
});
