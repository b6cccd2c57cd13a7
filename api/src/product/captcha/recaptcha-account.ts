import type { CaptchaSettings } from '@app/contracts/site-settings';
import type { Env } from '#api/foundation/settings/env.ts';

const GOOGLE = 'https://www.google.com';

/** The operator's account with reCAPTCHA. */
export interface RecaptchaAccount {
  siteKey: string;
  secret: string;
  /** The host names on which a captcha may have been solved. */
  hostnames: readonly string[];
  /** Google's origin, or in tests that of a fake on this machine. */
  origin: string;
}

/** Reads the account from the settings; undefined when reCAPTCHA is not the captcha of the site. */
export function readRecaptchaAccount(env: Env): RecaptchaAccount | undefined {
  const {
    CAPTCHA_PROVIDER,
    RECAPTCHA_SITE_KEY: siteKey,
    RECAPTCHA_SECRET: secret,
    BASE_URL = 'http://localhost',
  } = env;
  if (CAPTCHA_PROVIDER !== 'recaptcha' || siteKey === undefined || secret === undefined) return undefined;

  return {
    siteKey,
    secret,
    hostnames: env.RECAPTCHA_HOSTNAMES ?? [new URL(BASE_URL).hostname],
    origin: env.TEST_RECAPTCHA_ORIGIN ?? GOOGLE,
  };
}

/** What the pages need to know of the captcha. */
export function presentCaptcha(account: RecaptchaAccount | undefined): CaptchaSettings {
  if (!account) return { provider: 'altcha' };

  return {
    provider: 'recaptcha',
    siteKey: account.siteKey,
    scriptUrl: `${account.origin}/recaptcha/api.js?render=explicit`,
  };
}
