import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { slowDown } from './phone.ts';
import { traceWhile, type BareBrowser, type Send } from './bare-browser.ts';
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
  /** A click works: the page answers clicks, and has been painted, so that a visitor can aim. NaN without scripts. */
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
  /** A press on what the page is for works, and a visitor can aim. NaN where no action is named. */
  pressMs: number;
  /** All that came over the line until the page had settled. */
  lineKb: number;
}

export interface Visit {
  url: string;
  /** Whether the page has scripts, so that it will work at some time. */
  works: boolean;
  /** Whether the page is one of a run, which shows how the run stands. */
  isRun: boolean;
  /** The name of the link that the page is for, as screen readers have it. */
  action?: RegExp;
}

/** Loads a page for the first time, and once more with what the browser has kept. */
export async function measureVisits(browser: BareBrowser, visit: Visit): Promise<{ first: Load; second: Load }> {
  const [first, second] = (await measureInTurn(browser, [visit, visit])) as [Load, Load];
  return { first, second };
}

/** Loads pages one after another in a new browser, which keeps what it may. */
export async function measureInTurn(browser: BareBrowser, visits: readonly Visit[]): Promise<Load[]> {
  const { browserContextId } = await browser.send('Target.createBrowserContext');
  try {
    const loads: Load[] = [];
    for (const visit of visits) loads.push(await measureLoad(browser, browserContextId, visit));
    return loads;
  } finally {
    await browser.send('Target.disposeBrowserContext', { browserContextId });
  }
}

async function measureLoad(
  browser: BareBrowser,
  browserContextId: string,
  { url, works, isRun, action }: Visit,
): Promise<Load> {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const send = browser.sendTo(sessionId);
  await slowDown(send);
  await send('Page.enable');
  await send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(${String(watchLoad)})(${works}, ${works && isRun})`,
  });
  if (action)
    await send('Page.addScriptToEvaluateOnNewDocument', {
      source: `(${String(watchAction)})(${String(action)})`,
    });

  const { result: load, trace } = await traceWhile(browser, TASK_CATEGORIES, async () => {
    const loaded = once(browser.events, 'Page.loadEventFired').then(() => evaluate(send, 'watched.all'));
    await send('Page.navigate', { url });
    await Promise.race([loaded, rejectLater(`${url} did not load`)]);
    await wait(SETTLED_MS);
    const told = (await evaluate(send, `JSON.stringify((${String(readLoad)})())`)) as string;
    return JSON.parse(told, (_, value: unknown) => value ?? NaN) as ReturnType<typeof readLoad>;
  });
  await browser.send('Target.closeTarget', { targetId });

  const tasks = listTasks(trace, url);
  return {
    ...load,
    tbtMs: tasks.reduce((sum, ms) => sum + Math.max(0, ms - LONG_TASK_MS), 0),
    longestTaskMs: Math.max(0, ...tasks),
  };
}

/** Runs an expression in a page, and waits for what it promises. */
async function evaluate(send: Send, expression: string): Promise<unknown> {
  const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  return result.value;
}

async function rejectLater(message: string): Promise<never> {
  await wait(LONGEST_LOAD_MS, undefined, { ref: false });
  throw new Error(message);
}

interface Watched {
  /** When the site's code began to run. */
  startedMs: number;
  worksMs: number;
  stepMs: number;
  /** When the action of the page was first there to be pressed. */
  pressMs: number;
  lcpMs: number;
  cls: number;
  /** Comes when all was seen that was awaited. */
  all: Promise<void>;
}

/** In the page: what `watchLoad` has seen. */
declare const watched: Watched;

/** Runs in the page before anything else. Notes what cannot be read afterwards. */
function watchLoad(awaitsWork: boolean, awaitsStep: boolean): void {
  let tellAll: () => void;
  const all = new Promise<void>((resolve) => (tellAll = resolve));
  const seen: Watched = { startedMs: NaN, worksMs: NaN, stepMs: NaN, pressMs: NaN, lcpMs: NaN, cls: 0, all };
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
    if (!(seen.worksMs > 0) && document.querySelector('[data-unit][data-source]')) seen.worksMs = performance.now();
    if (!(seen.stepMs > 0) && document.querySelector('[data-provider]')) seen.stepMs = performance.now();
    if ((seen.worksMs > 0 || !awaitsWork) && (seen.stepMs > 0 || !awaitsStep)) tellAll();
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ['data-source', 'data-provider'],
  });
  // Where nothing is awaited: without scripts the browser may tell of no mutation.
  look();

  const observe = (
    type: string,
    note: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
  ) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime));
  observe('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) seen.cls += value;
  });
}

/** Runs in the page before anything else. Looks in each frame whether the link that the page is for can be followed. */
function watchAction(name: RegExp): void {
  const isAction = (link: Element) =>
    name.test((link.getAttribute('aria-label') ?? link.textContent ?? '').trim()) &&
    link.getAttribute('aria-disabled') !== 'true';

  const look = () => {
    if ([...document.querySelectorAll('a[href]')].some(isAction)) watched.pressMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Runs in the page when it has settled. */
function readLoad(): Omit<Load, 'tbtMs' | 'longestTaskMs'> {
  const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN;
  const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
    /\.js(\?|$)/.test(name),
  );
  const all = performance.getEntries().filter((entry) => entry instanceof PerformanceResourceTiming);
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
    pressMs: Math.max(watched.pressMs, fcpMs),
    lineKb: all.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
  };
}
