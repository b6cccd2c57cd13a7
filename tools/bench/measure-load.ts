import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';

/** The network of a phone on a slow connection: 150 ms latency, 1.6 Mbit/s down, 0.75 Mbit/s up. */
const NETWORK_CONDITIONS = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1e6) / 8,
  uploadThroughput: (0.75 * 1e6) / 8,
};
/** The phone's processor is this many times slower than the machine's. */
const CPU_SLOWDOWN = 4;
const PHONE_VIEWPORT = { width: 360, height: 740 };
/** What comes later than this after the page works is no part of the load. */
const SETTLE_MS = 1000;
const LOAD_TIMEOUT_MS = 60_000;

/** What is measured of a load. All times count from the navigation, in milliseconds. */
export interface Load {
  lcpMs: number;
  /** The page answers clicks: its code is there and React has taken over its HTML. */
  worksMs: number;
  /** A click works: the page answers clicks, and has been painted, so that a visitor can aim. */
  clickMs: number;
  /** The page of a run shows how the run stands. NaN on other pages. */
  stepMs: number;
  /** Total blocking time (https://web.dev/articles/tbt), with the tasks before the first paint. */
  tbtMs: number;
  cls: number;
  /** Scripts that had arrived when the page worked, as they travel. */
  jsUntilWorksKb: number;
}

interface Visit {
  url: string;
  /** Whether the page is one of a run, which shows how the run stands. */
  isRun: boolean;
}

/** Loads a page for the first time, and once more with what the browser has kept. */
export async function measureVisits(browser: Browser, visit: Visit): Promise<{ first: Load; second: Load }> {
  const context = await browser.newContext({ viewport: PHONE_VIEWPORT });
  try {
    return { first: await measureLoad(context, visit), second: await measureLoad(context, visit) };
  } finally {
    await context.close();
  }
}

async function measureLoad(context: BrowserContext, { url, isRun }: Visit): Promise<Load> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK_CONDITIONS);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  page.setDefaultTimeout(LOAD_TIMEOUT_MS);
  await page.addInitScript(watchLoad, isRun);
  await page.goto(url);
  await page.waitForFunction(() => watched.isAll);
  await wait(SETTLE_MS);
  const load = await page.evaluate(readLoad);
  await page.close();
  return load;
}

/** In the page: what `watchLoad` has seen. */
declare const watched: Pick<Load, 'worksMs' | 'stepMs' | 'lcpMs' | 'tbtMs' | 'cls'> & { isAll: boolean };

/** Runs in the page before anything else. Notes what cannot be read afterwards. */
function watchLoad(isRun: boolean): void {
  const seen = { worksMs: NaN, stepMs: NaN, lcpMs: NaN, tbtMs: 0, cls: 0, isAll: false };
  Object.assign(globalThis, { watched: seen });

  new MutationObserver(() => {
    if (!(seen.worksMs > 0) && document.querySelector('[data-unit][data-source]')) seen.worksMs = performance.now();
    if (!(seen.stepMs > 0) && document.querySelector('[data-provider]')) seen.stepMs = performance.now();
    seen.isAll = seen.worksMs > 0 && (seen.stepMs > 0 || !isRun);
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-source', 'data-provider'] });

  const observe = (
    type: string,
    note: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
  ) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime));
  observe('longtask', ({ duration }) => (seen.tbtMs += duration - 50));
  observe('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) seen.cls += value;
  });
}

/** Runs in the page when it has settled. */
function readLoad(): Load {
  const { worksMs, stepMs, lcpMs, tbtMs, cls } = watched;
  const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ name, responseEnd }) => /\.js(\?|$)/.test(name) && responseEnd <= worksMs,
  );
  const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN;
  return {
    ...{ lcpMs, worksMs, stepMs, tbtMs, cls },
    clickMs: Math.max(worksMs, fcpMs),
    jsUntilWorksKb: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
  };
}
