import { defineConfig } from '@playwright/test';
import { NOT_IN_FIREFOX } from './e2e/firefox/not-in-firefox.ts';
import type { Options } from './e2e/fixtures/site.ts';
import type { WebKit } from './e2e/webkit/visitor.ts';
import { launchOptions } from './tools/machine/chromium.ts';
import { firefoxOptions } from './tools/machine/firefox.ts';
import { webKits } from './tools/machine/webkit.ts';

const PHONE = { width: 360, height: 740 };
const { webkitgtk, wpe } = webKits();
const IN_WEBKIT = '**/in-webkit.spec.ts';

/** The journeys run in the system's Chromium. Each worker has its own server. */
export default defineConfig<Options, { webkit: WebKit }>({
  testDir: 'e2e/journeys',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 4,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  projects: [
    { name: 'newest', testIgnore: ['**/oldest-browsers.spec.ts', IN_WEBKIT] },
    {
      name: 'oldest',
      testMatch: /(oldest-browsers|device-kept|key-check|key-run|marketing-reset|checkout-buy)\.spec/,
      use: { isOldest: true },
    },
    {
      name: 'firefox',
      testIgnore: ['**/oldest-browsers.spec.ts', IN_WEBKIT],
      grepInvert: NOT_IN_FIREFOX,
      use: { browserName: 'firefox', launchOptions: firefoxOptions() },
    },
    { name: 'webkitgtk', testMatch: IN_WEBKIT, use: { webkit: webkitgtk } },
    { name: 'wpe', testMatch: IN_WEBKIT, grepInvert: /@phone/, use: { webkit: wpe } },
  ],
  use: {
    viewport: PHONE,
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(),
  },
});
