import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
import { repeatedly } from '../../../api/src/ops/progress.ts';
import { buildRelease } from '../../units/build-release.ts';
import { launchOptions } from '../../machine/chromium.ts';
import { median } from '../measure/median.ts';
import { onPhone } from './phone.ts';
import { startSite } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';

const LOADS = 5;

/** A page may take this many times as long when its unit's last good version has to take the place of a broken one. */
const BAR = 2;

/** Each unit with a page, and files without which the page cannot be shown. */
const UNITS: Record<string, { path: string; files: Record<string, RegExp> }> = {
  // Its styles are in the document.
  shell: { path: '/plans', files: { script: /js\/shell\./ } },
  marketing: { path: '/v5', files: { entry: /^remoteEntry/, page: /js\/v5-page/ } },
  companion: { path: '/rosaverx', files: { entry: /^remoteEntry/, page: /js\/companion-page/ } },
  'key-system': {
    path: '/key-system-1?hwid=device-bench-1&zone=bench',
    files: { entry: /^remoteEntry/, page: /js\/step-page/ },
  },
  tools: { path: '/encrypter', files: { entry: /^remoteEntry/, page: /js\/encrypter-page/ } },
};

type Site = Awaited<ReturnType<typeof startSite>>;

/**
 * Measures the load of a page whose unit loses a file at that moment, so that the browser has to find out, in turns with
 * an unbroken load. The time is that until the page is shown.
 */
export async function benchLastGood(): Promise<Row[]> {
  const site = await startSite();
  const browser = await chromium.launch(launchOptions());
  try {
    const rows: Row[] = [];
    for (const [unit, { path, files }] of Object.entries(UNITS)) {
      const next = await publishNext(site, unit);
      for (const [gone, pattern] of Object.entries(files)) {
        const file = next.files.find((name) => pattern.test(name) && !name.endsWith('.map'));
        if (file === undefined) throw new Error(`${unit} has no ${gone}`);
        rows.push({ unit, gone, ...(await compare(site, browser, next, file, path)) });
      }
    }
    return rows;
  } finally {
    await browser.close();
    await site.stop();
  }
}

interface Next {
  unit: string;
  version: string;
  /** Where the server has its files. */
  folder: string;
  files: string[];
}

/** Builds the release of a unit and makes it stable. What `npm run build` has built is its last good version then. */
async function publishNext({ dataDir }: Site, unit: string): Promise<Next> {
  const out = mkdtempSync(join(tmpdir(), 'bench-release-'));
  try {
    const built = await buildRelease(unit, out, { output: process.stderr });
    const { version, files } = JSON.parse(readFileSync(join(built, 'release.json'), 'utf8')) as {
      version: string;
      files: Record<string, unknown>;
    };
    execFileSync(process.execPath, ['dist/api/release.js', 'publish', unit, '--from', built, '--promote'], {
      env: { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return { unit, version, folder: join(dataDir, 'releases', unit, version), files: Object.keys(files) };
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** Compares loads of a page with and without a file. Between them the server has to have the file again. */
async function compare({ url }: Site, browser: Browser, next: Next, file: string, path: string) {
  const forms = ['', '.br', '.gz'].map((ending) => join(next.folder, file + ending));
  const times: Record<'unbroken' | 'broken', number[]> = { unbroken: [], broken: [] };
  const load = (onAsked: () => void) => onPhone(browser, (page) => timeToPage(page, url + path, file, onAsked));
  await repeatedly(`Loads of ${path}`, LOADS, async () => {
    await untilServed(url, path, next, file);
    times.unbroken.push(await load(() => undefined));

    let isGone = false;
    const loseFile = () => {
      if (!isGone) for (const form of forms) renameSync(form, `${form}.away`);
      isGone = true;
    };
    times.broken.push(await load(loseFile));
    // The server may have mended its copy of the release meanwhile.
    for (const form of forms) if (existsSync(`${form}.away`)) renameSync(`${form}.away`, form);
  });

  const [unbrokenMs, brokenMs] = [median(times.unbroken), median(times.broken)];
  const ratio = brokenMs / unbrokenMs;
  return { unbrokenMs, brokenMs, ratio, bar: BAR, verdict: ratio > BAR ? 'missed' : 'held' };
}

/**
 * @param onAsked called whenever the browser asks for the file, before the server is asked
 * @returns after how many milliseconds the page works
 */
async function timeToPage(page: Page, url: string, file: string, onAsked: () => void): Promise<number> {
  await page.route(
    ({ pathname }) => pathname.endsWith(`/${file}`),
    (route) => {
      onAsked();
      return route.continue();
    },
  );
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('[data-source] h1').waitFor();
  return Math.round(performance.now() - startedAt);
}

/** Waits until visitors get the release, and its file. */
async function untilServed(url: string, path: string, { unit, version }: Next, file: string): Promise<void> {
  const named = `"${unit}":{"version":"${version}"`;
  const isServed = async () =>
    (await (await fetch(url + path)).text()).includes(named) &&
    (await fetch(`${url}/releases/${unit}/${version}/${file}`)).ok;
  while (!(await isServed())) await wait(100);
}
