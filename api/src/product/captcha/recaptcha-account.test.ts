import { expect, test } from 'vitest';
import type { Env } from '#api/foundation/settings/env.ts';
import { presentCaptcha, readRecaptchaAccount } from './recaptcha.ts';

const SETTINGS = {
  CAPTCHA_PROVIDER: 'recaptcha',
  RECAPTCHA_SITE_KEY: 'site-key',
  RECAPTCHA_SECRET: 'secret',
} as const;

function read(changes: Partial<Env> = {}) {
  return readRecaptchaAccount({ ...SETTINGS, ...changes } as Env);
}

test('the account is Google’s, for the names of the site', () => {
  const account = { siteKey: 'site-key', secret: 'secret', hostnames: ['localhost'], origin: 'https://www.google.com' };

  expect(read()).toEqual(account);
  expect(read({ BASE_URL: 'https://site.example:8443/' })).toEqual({ ...account, hostnames: ['site.example'] });
  expect(read({ BASE_URL: 'https://site.example', RECAPTCHA_HOSTNAMES: ['www.site.example'] })).toEqual({
    ...account,
    hostnames: ['www.site.example'],
  });
  expect(read({ TEST_RECAPTCHA_ORIGIN: 'http://127.0.0.1:1' })).toEqual({ ...account, origin: 'http://127.0.0.1:1' });
});

test.each([
  { where: 'another captcha is chosen', changes: { CAPTCHA_PROVIDER: 'altcha' } },
  { where: 'the site key is missing', changes: { RECAPTCHA_SITE_KEY: undefined } },
  { where: 'the secret is missing', changes: { RECAPTCHA_SECRET: undefined } },
] as const)('there is no account where $where', ({ changes }) => {
  expect(read(changes as Partial<Env>)).toBeUndefined();
});

test('pages are told whose script to load, and not the secret', () => {
  expect(presentCaptcha(undefined)).toEqual({ provider: 'altcha' });
  expect(presentCaptcha(read())).toEqual({
    provider: 'recaptcha',
    siteKey: 'site-key',
    scriptUrl: 'https://www.google.com/recaptcha/api.js?render=explicit',
  });
});
