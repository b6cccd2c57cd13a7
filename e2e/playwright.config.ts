import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const PHONE = { width: 360, height: 740 };
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const chromium = [process.env['CHROMIUM'], ...PLACES].find((path) => path && existsSync(path));

/** The journeys run in the system's Chromium. Each worker has its own server. */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results/browser',
  fullyParallel: true,
  workers: 4,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/playwright.json' }]],
  use: {
    viewport: PHONE,
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
