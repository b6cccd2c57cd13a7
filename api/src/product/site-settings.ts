import type { SiteSettings } from '@app/contracts/site-settings';
import type { Env } from '#api/foundation/settings/env.ts';
import { presentCaptcha, readRecaptchaAccount } from './captcha/recaptcha-account.ts';

/** The settings that pages need to know. */
export function readSiteSettings(env: Env): SiteSettings {
  return {
    launchUrl: env.LAUNCH_URL,
    chunkTimeoutMs: env.CHUNK_TIMEOUT_MS,
    contentUrl: env.CONTENT_URL ?? '/content',
    contentApiUrl: env.CONTENT_API_URL ?? '/content-api',
    captcha: presentCaptcha(readRecaptchaAccount(env)),
  };
}
