import type { SiteSettings } from '@app/contracts/site-settings';

/** The settings of a site for tests that only need some. */
export const SITE_SETTINGS: SiteSettings = {
  launchUrl: 'roblox://',
  chunkTimeoutMs: 120_000,
  contentUrl: '/content',
  contentApiUrl: '/content-api',
  captcha: { provider: 'altcha' },
};
