import type { SiteSettings } from '@app/contracts/site-settings';

/** What a test's site is set to. */
export const SITE_SETTINGS: SiteSettings = {
  launchUrl: 'roblox://',
  chunkTimeoutMs: 120_000,
  contentUrl: '/content',
  contentApiUrl: '/content-api',
  captcha: { provider: 'altcha' },
};
