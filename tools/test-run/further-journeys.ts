/** Files whose parts have component tests or tests of the API. */
const FURTHER_JOURNEY_FILES = [
  'canary',
  'checkout-links',
  'companion-carousel',
  'companion-page',
  'device-kept',
  'editing',
  'forced-colours',
  'former-site',
  'key-begin-in-app',
  'key-captcha',
  'key-check',
  'key-moment',
  'key-plan',
  'key-reach',
  'key-run-bytes',
  'key-states',
  'key-zones',
  'last-good-version',
  'lost-answers',
  'marketing-content',
  'marketing-downloads',
  'marketing-hero',
  'marketing-landing',
  'marketing-resellers',
  'marketing-reset',
  'marketing-results',
  'navbar',
  'nothing-overlaps',
  'online-count',
  'previews',
  'purchase-toasts',
  'qa-extension',
  'qa-local-unit',
  'qa-pins',
  'slow-font',
  'system-marks',
  'toasts',
  'tools-developers',
  'tools-pages',
  'tools-portfolio',
];

/**
 * The journeys that `npm test` leaves out, as a pattern for Playwright's `--grep`: those with the tag `@matrix`, some
 * files, and in Firefox, WebKitGTK and the oldest browser all without the tag `@main`. `npm run soak` and `node scripts/launch.mjs playwright test` play them.
 */
export const FURTHER_JOURNEYS = [
  '@matrix',
  '^(?:firefox|webkitgtk) (?!.*@main)',
  '^oldest (?!.*(?:@main|oldest-browsers))',
  `^(?!firefox ).*(^| )(${FURTHER_JOURNEY_FILES.join('|')})\\.spec\\.ts`,
].join('|');
