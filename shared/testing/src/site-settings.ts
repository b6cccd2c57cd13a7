import type { SiteSettings } from '@app/contracts/site-settings';

/** The settings of a test's site. */
export const SITE_SETTINGS: SiteSettings = {
  launchUrl: 'roblox://',
  chunkTimeoutMs: 120_000,
  contentUrl: '/content',
  contentApiUrl: '/content-api',
  captcha: { provider: 'altcha' },
};
