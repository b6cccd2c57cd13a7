import { join } from 'node:path';
import type { SiteSettings } from '@app/contracts/site-settings';
import { readAll, type Env } from '#api/foundation/settings/env.ts';
import { type AdvertisersSettings, loadAdvertisers } from './advertisers/advertisers-settings.ts';
import { presentCaptcha, readRecaptchaAccount, type RecaptchaAccount } from '#api/product/captcha/recaptcha.ts';
import { type DownloadsSettings, loadDownloads } from '#api/product/downloads/downloads-settings.ts';
import { type Limits, loadLimits } from '#api/product/limits/limits.ts';
import { readStripeAccount, type StripeAccount } from '#api/product/payments/stripe.ts';

export interface ProductSettings {
  /** Accounts with the advertisers, or the fake advertisers of a development machine. */
  advertisers: AdvertisersSettings | 'sandbox';
  /** The account with Stripe, or the fake Stripe of a development machine. Without one no plan can be bought. */
  stripe?: StripeAccount | 'sandbox' | undefined;
  /** The address that opens our own apps. */
  launchUrl: string;
  /** The account with reCAPTCHA, if the site uses it instead of ALTCHA. */
  recaptcha?: RecaptchaAccount | undefined;
  /** The addresses of the downloads, or the demo files of a development machine. */
  downloads: DownloadsSettings | 'demo';
  limits: Limits;
  /** Whether the site fills itself with demo purchases and sample resellers while it has none of its own. */
  demoData: boolean;
  /** The folder with the texts that can change without a deploy. */
  contentDir: string;
  /** The addresses that pages fetch those texts from, where these are on other sites: the usual one, then the fallback. */
  contentUrls?: readonly (string | undefined)[];
  /** Whether the form that resets devices tells who has a plan (`spec`), or answers every address alike. */
  resetPrivacy: 'spec' | 'strict';
  /** For tests: the cost of an ALTCHA challenge. */
  captchaCost?: number | undefined;
  /** For tests: how many keys its solver derives, instead of a random number. */
  captchaRounds?: number | undefined;
  /** For tests: the shortest stay at every advertiser, in milliseconds. */
  minDwellMs?: number | undefined;
}

/** Reads what operators have set for the product; the EnvError names every setting whose file is unusable. */
export function loadProductSettings(env: Env): ProductSettings {
  return {
    ...readAll({
      advertisers: () => loadAdvertisers(env),
      downloads: () => loadDownloads(env),
      limits: () => loadLimits(env),
    }),
    launchUrl: env.LAUNCH_URL,
    recaptcha: readRecaptchaAccount(env),
    stripe: readStripeAccount(env),
    captchaCost: env.TEST_CAPTCHA_COST,
    captchaRounds: env.TEST_CAPTCHA_ROUNDS,
    minDwellMs: env.TEST_MIN_DWELL_MS,
    demoData: env.NODE_ENV !== 'production',
    contentDir: join(env.DATA_DIR, 'content'),
    contentUrls: [env.CONTENT_URL, env.CONTENT_API_URL],
    resetPrivacy: env.RESET_PRIVACY,
  };
}

export function readSiteSettings(env: Env): SiteSettings {
  return {
    launchUrl: env.LAUNCH_URL,
    chunkTimeoutMs: env.CHUNK_TIMEOUT_MS,
    contentUrl: env.CONTENT_URL ?? '/content',
    contentApiUrl: env.CONTENT_API_URL ?? '/content-api',
    // The usual share costs no page a byte.
    ...(env.FIELD_TIMINGS_SHARE !== undefined && { fieldTimingsShare: env.FIELD_TIMINGS_SHARE }),
    captcha: presentCaptcha(readRecaptchaAccount(env)),
  };
}
