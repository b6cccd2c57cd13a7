/** The settings that production needs, and no others. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://example.com',
  TRUST_PROXY: '1',
  HWID_PEPPER: '3f9c1d7ae2b84056917dfc20a6e1b35d',
  SIGNING_KEY_FILE: '/secrets/signing-key.json',
  ADVERTISERS_FILE: '/secrets/advertisers.json',
  MAIL_FROM: 'Example <no-reply@example.com>',
};
