import { defineConfig } from '@playwright/test';
import { launchOptions } from './scripts/chromium.ts';

const PHONE = { width: 360, height: 740 };

/** The journeys run in the system's Chromium. Each worker has its own server. */
export default defineConfig({
  testDir: 'e2e/journeys',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 3,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    viewport: PHONE,
    screenshot: 'only-on-failure',
    launchOptions: launchOptions(),
  },
});
