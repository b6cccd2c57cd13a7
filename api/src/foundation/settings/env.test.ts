import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { EnvError, listUnused, parseEnv, readAll } from './env.ts';
import { PRODUCTION } from '#api/test/production-settings.ts';

test('without settings the server is a development server on this machine', () => {
  expect(parseEnv({})).toEqual({
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: 3000,
    TRUST_PROXY: 0,
    DATA_DIR: resolve('./var'),
    RELEASES_DIR: resolve('./var/releases'),
    DATABASE_POOL: 10,
    CAPTCHA_PROVIDER: 'altcha',
    LAUNCH_URL: 'roblox://',
    RESET_PRIVACY: 'spec',
    WEBHOOK_ADDRESSES: 'public',
    CHUNK_TIMEOUT_MS: 120_000,
    METRICS_HOST: '127.0.0.1',
    STOP_DELAY_MS: 0,
    LIVE_MAX_SOCKETS: 20_000,
    LIVE_MAX_SOCKETS_PER_NETWORK: 500,
  });
});

test('an empty setting counts as unset', () => {
  expect(parseEnv({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
});

test('with port 0 the system chooses a free port', () => {
  expect(parseEnv({ PORT: '0' }).PORT).toBe(0);
});

test.each(['https://example.com/', 'https://Example.com', 'https://example.com:443', 'https://example.com/path'])(
  'the base address %s stops the start, and the error has the normalized form',
  (BASE_URL) => {
    expect(() => parseEnv({ ...PRODUCTION, BASE_URL })).toThrow('BASE_URL: must be written https://example.com');
  },
);

test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080', 'http://app.localhost'])(
  'a development server may be visited as %s',
  (BASE_URL) => {
    expect(parseEnv({ BASE_URL })).toMatchObject({ BASE_URL });
    expect(parseEnv({ BASE_URL, HOST: '0.0.0.0' })).toMatchObject({ HOST: '0.0.0.0' });
  },
);

test.each([
  { BASE_URL: 'https://example.com' },
  { BASE_URL: 'http://192.168.1.5:3000' },
  { BASE_URL: 'http://localhost.example.com' },
  { BASE_URL: 'http://notlocalhost' },
  { BASE_URL: 'https://example.com', NODE_ENV: 'test' },
  { BASE_URL: 'https://example.com', ADVERTISERS_FILE: '/secrets/advertisers.json' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: 'example.com', NODE_ENV: 'development' },
])('threat 19: a publicly reachable server (%j) is rejected as a development server, with what to do', (settings) => {
  expect(() => parseEnv(settings)).toThrow(/^(BASE_URL|HOST): .* Set NODE_ENV=production/);
});

test('all invalid settings are named at once, on a line each', () => {
  const settings = {
    NODE_ENV: 'production',
    PORT: 'abc',
    BASE_URL: 'http://example.com',
    HWID_PEPPER: 'short',
    TEST_CAPTCHA_COST: '1',
    BASEURL: 'https://example.com',
  };

  const said = catchMessage(() => parseEnv(settings)).split('\n');

  expect(said.map((line) => line.split(':')[0]).sort()).toEqual([
    'ADVERTISERS_FILE',
    'BASEURL',
    'BASE_URL',
    'HWID_PEPPER',
    'HWID_PEPPER',
    'MAIL_FROM',
    'PORT',
    'SIGNING_KEY_FILE',
    'TEST_CAPTCHA_COST',
    'TRUST_PROXY',
  ]);
});

test.each([
  ['TRUST_PROXI', 'TRUST_PROXY'],
  ['BASEURL', 'BASE_URL'],
  ['base_url', 'BASE_URL'],
  ['SIGNING_KEYFILE', 'SIGNING_KEY_FILE'],
  ['LIVE_MAX_SOKETS', 'LIVE_MAX_SOCKETS'],
  ['DATABSE_URL', 'DATABASE_URL'],
])('a misspelt %s stops the start, and the error suggests %s', (name, meant) => {
  expect(() => parseEnv({ [name]: '1' })).toThrow(`${name}: is no setting. Did you mean ${meant}?`);
});

test('settings of other programs in the environment are ignored', () => {
  const others = {
    HOME: '/root',
    HOSTNAME: 'box',
    POST: '1',
    NO_PROXY: '*',
    HTTP_PROXY: 'x',
    PWD: '/',
    REDIS_PORT: '1',
    NODE_PATH: '',
    TEST_DATABASE_URL: 'x',
    PGHOST: 'x',
    LANGUAGE: 'en',
  };

  expect(parseEnv(others)).toEqual(parseEnv({}));
});

test('unused settings are listed: all of those in our file, and those with our prefixes in the environment', () => {
  expect(
    listUnused({ HOME: '/root', SIGNING_KEY_PASSPHRASE: 'x', COLOUR: 'x', PORT: '1' }, ['COLOUR', 'PORT']),
  ).toEqual(['SIGNING_KEY_PASSPHRASE', 'COLOUR']);
});

test('readAll reports the problems of all parts', () => {
  const fail = (message: string) => () => {
    throw new EnvError(message);
  };

  expect(() => readAll({ one: fail('ONE: a'), two: () => 2, three: fail('THREE: b') })).toThrow('ONE: a\nTHREE: b');
  expect(readAll({ two: () => 2 })).toEqual({ two: 2 });
});

test.each([
  ['https://raw.host.example/team/status/main', 'https://raw.host.example/team/status/main'],
  ['https://Host.example/status/', 'https://host.example/status'],
  ['http://localhost:4000', 'http://localhost:4000'],
])('the content address %s is stored as %s, without a trailing slash', (given, kept) => {
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
  ['TEST_STRIPE_ORIGIN', 'https://api.stripe.com'],
  ['STRIPE_SECRET_KEY', 'pk_live_1234567890'],
  ['STRIPE_SECRET_KEY', 'sk_live_'],
  ['STRIPE_WEBHOOK_SECRET', 'sk_live_1234567890'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_ 1234567890123456'],
  ['DEV_UPDATES_URL', 'ws://updates.example:8080'],
  ['CONTENT_URL', '/content'],
  ['CONTENT_URL', 'ftp://host.example/content'],
  ['CONTENT_URL', 'https://host.example/content?file='],
  ['CONTENT_URL', 'https://user:word@host.example/content'],
  ['LIVE_MAX_SOCKETS', '0'],
  ['LIVE_MAX_SOCKETS_PER_NETWORK', 'many'],
  ['LAUNCH_URL', 'javascript:alert(1)'],
  ['SECURITY_CONTACT', 'security@site.example'],
  ['SECURITY_CONTACT', 'http://site.example/report'],
  ['CHUNK_TIMEOUT_MS', '1'],
  ['CHUNK_TIMEOUT_MS', '120001'],
  ['NODE_ENV', 'staging'],
])('an invalid %s (%s) stops the start with its name', (name, value) => {
  expect(() => parseEnv({ [name]: value })).toThrow(EnvError);
  expect(() => parseEnv({ [name]: value })).toThrow(new RegExp(`^${name}: `));
});

test('reCAPTCHA requires both keys, and the host names for which it may be solved', () => {
  const keys = { CAPTCHA_PROVIDER: 'recaptcha', RECAPTCHA_SITE_KEY: 'site-key', RECAPTCHA_SECRET: 'secret' };

  expect(parseEnv({ ...keys, RECAPTCHA_HOSTNAMES: 'Site.example, www.site.example' }).RECAPTCHA_HOSTNAMES).toEqual([
    'site.example',
    'www.site.example',
  ]);
  expect(() => parseEnv({ ...keys, RECAPTCHA_SITE_KEY: '' })).toThrow(
    'RECAPTCHA_SITE_KEY: must be set for CAPTCHA_PROVIDER=recaptcha',
  );
  expect(() => parseEnv({ ...keys, RECAPTCHA_SECRET: '' })).toThrow(
    'RECAPTCHA_SECRET: must be set for CAPTCHA_PROVIDER=recaptcha',
  );
});

test('Stripe requires both of its keys or none', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1234567890', STRIPE_WEBHOOK_SECRET: 'whsec_1234567890123456' };
  const standIn = { TEST_STRIPE_ORIGIN: 'http://127.0.0.1:4000' };

  expect(parseEnv({ ...keys, ...standIn })).toMatchObject({ ...keys, ...standIn });
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
    expect(() => parseEnv({ ...keys, [name]: '' })).toThrow(`${name}: must be set for payments with Stripe`);
  expect(() => parseEnv(standIn)).toThrow('STRIPE_SECRET_KEY: must be set for payments with Stripe');
});

function catchMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

test.each([
  [{ MAIL_URL: 'mail.example.com' }, 'MAIL_URL: must begin with smtp:// or smtps://'],
  [{ MAIL_URL: 'smtp://' }, 'MAIL_URL: must name a host'],
  [{ MAIL_URL: 'smtp://mail.example.com' }, 'MAIL_FROM: must be set with MAIL_URL'],
  [{ FIELD_TIMINGS_SHARE: '1.5' }, 'FIELD_TIMINGS_SHARE: must be between 0 and 1, such as 0.01'],
  [{ MAIL_FROM: 'anonymous' }, 'MAIL_FROM: must be like Name <address@example.com>'],
  [{ MAIL_FROM: 'a@example.com\r\nBcc: b@example.com' }, 'MAIL_FROM: must be like'],
])('%j stops the start: %s', (settings, said) => {
  expect(() => parseEnv(settings)).toThrow(said);
});

test('a mail server and a sender enable mails', () => {
  const settings = { MAIL_URL: 'smtps://user:p%40ss@mail.example.com:465', MAIL_FROM: 'Site <no-reply@example.com>' };

  expect(parseEnv(settings)).toMatchObject(settings);
});
