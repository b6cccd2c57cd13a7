import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { browserPath, launchOptions } from '../../machine/chromium.ts';
import type { Report } from './lighthouse-bars.ts';

const LONGEST_RUN_MS = 180_000;
const LARGEST_REPORT_BYTES = 64 * 1024 * 1024;

/** A trace of Chromium sometimes lacks its beginning. Lighthouse then asks to be run again. */
const TRIES = 3;
const NO_BEGINNING = /NO_NAVSTART/;

/**
 * Judges a page with Lighthouse's settings for phones, in a new browser with an empty profile. It asks no other server
 * than that of the page.
 * @param folder where Lighthouse is installed
 * @param url the page
 * @param slowdown how many times slower than this machine's the phone's processor is
 * @returns Lighthouse's report. Rejects when the page cannot be judged, or not within three minutes.
 */
export async function runLighthouse(folder: string, url: string, slowdown: number): Promise<Report> {
  for (let tries = 1; ; tries++) {
    try {
      return await judgeOnce(folder, url, slowdown);
    } catch (error) {
      if (tries === TRIES || !NO_BEGINNING.test(String(error))) throw error;
    }
  }
}

async function judgeOnce(folder: string, url: string, slowdown: number): Promise<Report> {
  const chromium = browserPath();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(folder, 'node_modules/lighthouse/cli/index.js'),
      url,
      '--quiet',
      '--output=json',
      '--output-path=stdout',
      // Some pages are not listed by search engines, as intended.
      '--skip-audits=is-crawlable',
      `--throttling.cpuSlowdownMultiplier=${slowdown}`,
      '--no-enable-error-reporting',
      `--chrome-flags=${['--headless=new', ...launchOptions().args].join(' ')}`,
    ],
    {
      timeout: LONGEST_RUN_MS,
      maxBuffer: LARGEST_REPORT_BYTES,
      env: { ...process.env, ...(chromium && { CHROME_PATH: chromium }) },
    },
  );
  return JSON.parse(stdout) as Report;
}
