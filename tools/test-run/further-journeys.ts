/** Files whose parts have component tests or tests of the API. */
const FURTHER_FILES = [
  'canary',
  'companion-carousel',
  'companion-page',
  'device-kept',
  'editing',
  'key-begin-in-app',
  'key-captcha',
  'key-check',
  'key-limits',
  'key-moment',
  'key-plan',
  'key-reach',
  'key-states',
  'key-usual-time',
  'key-waiting',
  'key-zones',
  'last-good-version',
  'marketing-content',
  'marketing-downloads',
  'marketing-hero',
  'marketing-landing',
  'marketing-results',
  'navbar',
  'nothing-overlaps',
  'online-count',
  'operators',
  'previews',
  'purchase-toasts',
  'purchase-turns',
  'qa-local-unit',
  'qa-pins',
  'site-ways',
  'system-marks',
  'checkout-links',
  'toasts',
  'tools-developers',
  'tools-encrypter',
  'tools-pages',
  'tools-portfolio',
];

/**
 * The journeys that `npm test` leaves out, as a pattern for Playwright's `--grep`: those with the tag `@matrix`, some
 * files, and in Firefox and the oldest browser all without the tag `@main`. `npm run soak` and `npm run e2e` play them.
 */
export const FURTHER_JOURNEYS = [
  '@matrix',
  '^firefox (?!.*@main)',
  '^oldest (?!.*(?:@main|oldest-browsers))',
  `^(?!firefox ).*(^| )(${FURTHER_FILES.join('|')})\\.spec\\.ts`,
].join('|');
