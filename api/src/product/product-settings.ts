import { join } from 'node:path';
import type { SiteSettings } from '@app/contracts/site-settings';
import { readAll, type Env } from '#api/foundation/settings/env.ts';
import { loadAdvertisers } from './advertisers/advertisers-settings.ts';
import { presentCaptcha, readRecaptchaAccount } from '#api/product/captcha/recaptcha.ts';
import { loadDownloads } from '#api/product/downloads/downloads-settings.ts';
import { loadLimits } from '#api/product/limits/limits.ts';
import type { ProductSettings } from './open-product.ts';
import { readStripeAccount } from '#api/product/payments/stripe.ts';

/**
 * Reads what operators have set for the product.
 * @throws EnvError that names every setting whose file is unusable
 */
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

/** What pages need to know. */
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
