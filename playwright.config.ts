import { defineConfig } from '@playwright/test';
import type { Options } from './e2e/fixtures/site.ts';
import { launchOptions } from './tools/machine/chromium.ts';

const PHONE = { width: 360, height: 740 };

/** The journeys run in the system's Chromium. Each worker has its own server. */
export default defineConfig<Options>({
  testDir: 'e2e/journeys',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 3,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  projects: [
    { name: 'newest', testIgnore: '**/oldest-browsers.spec.ts' },
    {
      name: 'oldest',
      testMatch: /(oldest-browsers|device-kept|key-check|key-run|marketing-reset|checkout-buy)\.spec/,
      use: { isOldest: true },
    },
  ],
  use: {
    viewport: PHONE,
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(),
  },
});
