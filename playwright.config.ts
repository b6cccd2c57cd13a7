import { defineConfig } from '@playwright/test';
import { NOT_IN_FIREFOX } from './e2e/firefox/not-in-firefox.ts';
import type { Options } from './e2e/fixtures/site.ts';
import type { WebKit } from './e2e/webkit/visitor.ts';
import { firefoxOptions, launchOptions, webKits } from './tools/machine/browsers.ts';

const PHONE = { width: 360, height: 740 };
const { webkitgtk, wpe } = webKits();
const IN_WEBKIT = '**/in-webkit.spec.ts';

const WORKERS = 4;
/** A worker costs five seconds of a processor before its first journey: for browsers with few journeys one is enough. */
const OF_FEW = process.env['MAIN_JOURNEYS'] ? 1 : WORKERS;

/** The journeys run in the system's Chromium. Each worker has its own server. The longest of few come first. */
export default defineConfig<Options, { webkit: WebKit }>({
  testDir: 'e2e/journeys',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: WORKERS,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  projects: [
    {
      name: 'firefox',
      workers: OF_FEW,
      testIgnore: ['**/oldest-browsers.spec.ts', IN_WEBKIT],
      grepInvert: NOT_IN_FIREFOX,
      use: { browserName: 'firefox', launchOptions: firefoxOptions() },
    },
    { name: 'wpe', workers: OF_FEW, testMatch: IN_WEBKIT, grepInvert: /@phone/, use: { webkit: wpe } },
    { name: 'webkitgtk', workers: OF_FEW, testMatch: IN_WEBKIT, use: { webkit: webkitgtk } },
    {
      name: 'oldest',
      workers: OF_FEW,
      testMatch: /(oldest-browsers|device-kept|key-check|key-run|marketing-reset|checkout-buy)\.spec/,
      use: { isOldest: true },
    },
    { name: 'newest', testIgnore: ['**/oldest-browsers.spec.ts', IN_WEBKIT] },
  ],
  use: {
    viewport: PHONE,
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(),
  },
});
