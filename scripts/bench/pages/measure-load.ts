import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { newPhone, openSlowPage } from '../phone.ts';
import { listTasks, TASK_CATEGORIES } from './main-thread-tasks.ts';

/** What comes later than this after the page works is no part of the load. */
const SETTLED_MS = 1000;
const LONGEST_LOAD_MS = 60_000;
/** A task that takes longer than this blocks (https://web.dev/articles/tbt). */
const LONG_TASK_MS = 50;

/** What is measured of a load. All times count from the navigation, in milliseconds. */
export interface Load {
  fcpMs: number;
  lcpMs: number;
  /** The page answers clicks: its code is there and React has taken over its HTML. NaN without scripts. */
  worksMs: number;
  /** A click works: the page answers clicks, and has been painted, so that somebody can aim. NaN without scripts. */
  clickMs: number;
  /** The page of a run shows how the run stands. NaN on other pages. */
  stepMs: number;
  /** Total blocking time: what is above 50 ms of each task. All count, because what is rendered late blocks before its paint. */
  tbtMs: number;
  longestTaskMs: number;
  cls: number;
  /** Scripts that had arrived before the first paint, as they travel, when the paint came after the site's code began. */
  jsBeforePaintKb: number;
  /** Scripts that had arrived when the page worked. */
  jsUntilWorksKb: number;
}

/** How a page is loaded. */
export interface Visit {
  url: string;
  /** Whether the page has scripts, so that it will work at some time. */
  works: boolean;
  /** Whether the page is one of a run, which shows how the run stands. */
  isRun: boolean;
}

/** Loads a page for the first time, and once more with what the browser has kept. */
export async function measureVisits(browser: Browser, visit: Visit): Promise<{ first: Load; second: Load }> {
  const phone = await newPhone(browser);
  await phone.addInitScript(watchLoad);
  try {
    return { first: await measureLoad(browser, phone, visit), second: await measureLoad(browser, phone, visit) };
  } finally {
    await phone.close();
  }
}

async function measureLoad(browser: Browser, phone: BrowserContext, { url, works, isRun }: Visit): Promise<Load> {
  const page = await openSlowPage(phone);
  const cdp = await phone.newCDPSession(page);
  await cdp.send('Runtime.enable');
  await cdp.send('Runtime.addBinding', { name: 'tellSeen' });
  // Whoever asks a page brings scripts of 90 ms with him, so the page tells.
  const seen = works ? untilTold(cdp, isRun ? ['works', 'step'] : ['works']) : undefined;
  await browser.startTracing(page, { categories: TASK_CATEGORIES });
  await page.goto(url, { waitUntil: 'load', timeout: LONGEST_LOAD_MS });
  await seen;
  await page.waitForTimeout(SETTLED_MS);
  const tasks = listTasks(await browser.stopTracing(), url);
  const load = await page.evaluate(readLoad);
  await page.close();
  return {
    ...load,
    tbtMs: tasks.reduce((sum, ms) => sum + Math.max(0, ms - LONG_TASK_MS), 0),
    longestTaskMs: Math.max(0, ...tasks),
  };
}

/** Waits until a page has told all of these. Rejects where it does not in time. */
function untilTold(cdp: CDPSession, awaited: readonly string[]): Promise<void> {
  const told = new Set<string>();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`a page has only told: ${[...told].join()}`)), LONGEST_LOAD_MS);
    cdp.on('Runtime.bindingCalled', ({ payload }) => {
      told.add(payload);
      if (!awaited.every((each) => told.has(each))) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

interface Watched {
  /** When the site's code began to run. */
  startedMs: number;
  worksMs: number;
  stepMs: number;
  lcpMs: number;
  cls: number;
}

/** In the page: what `watchLoad` has seen. */
declare const watched: Watched;
/** In the page: tells that something was seen for the first time. */
declare function tellSeen(what: 'works' | 'step'): void;

/** Runs in the page before anything else. Notes what cannot be read afterwards. */
function watchLoad(): void {
  const seen: Watched = { startedMs: NaN, worksMs: NaN, stepMs: NaN, lcpMs: NaN, cls: 0 };
  Object.assign(globalThis, { watched: seen });

  // The shell sets this global as soon as its code runs.
  Object.defineProperty(globalThis, 'chunkElementCreated', {
    configurable: true,
    set(value) {
      seen.startedMs = performance.now();
      Object.defineProperty(globalThis, 'chunkElementCreated', { value, writable: true });
    },
  });

  const look = () => {
    if (!(seen.worksMs > 0) && document.querySelector('[data-unit][data-source]')) {
      seen.worksMs = performance.now();
      tellSeen('works');
    }
    if (!(seen.stepMs > 0) && document.querySelector('[data-provider]')) {
      seen.stepMs = performance.now();
      tellSeen('step');
    }
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ['data-source', 'data-provider'],
  });

  const observe = (
    type: string,
    note: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
  ) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime));
  observe('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) seen.cls += value;
  });
}

/** Runs in the page when it has settled. */
function readLoad(): Omit<Load, 'tbtMs' | 'longestTaskMs'> {
  const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN;
  const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
    /\.js(\?|$)/.test(name),
  );
  const kbUntil = (ms: number) =>
    scripts
      .filter(({ responseEnd }) => responseEnd <= ms)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;

  return {
    fcpMs,
    lcpMs: watched.lcpMs,
    worksMs: watched.worksMs,
    clickMs: Math.max(watched.worksMs, fcpMs),
    stepMs: watched.stepMs,
    cls: watched.cls,
    jsBeforePaintKb: watched.startedMs < fcpMs ? kbUntil(fcpMs) : 0,
    jsUntilWorksKb: kbUntil(watched.worksMs),
  };
}
