import { chromium, type Browser } from 'playwright-core';
import { launchOptions } from '../chromium.mjs';
import { median } from './median.ts';
import { onPhone } from './phone.ts';
import { startOneBundle, startSite } from './servers.ts';
import type { Row } from './table.ts';

const LOADS = 9;
const PATHS = ['/v5', '/key-system-1?hwid=device-bench-1&zone=bench'];

interface Load {
  scriptKb: number;
  scripts: number;
  requests: number;
  rounds: number;
  fcpMs: number;
  lcpMs: number;
}

const MEASURES = ['scriptKb', 'scripts', 'requests', 'rounds', 'fcpMs', 'lcpMs'] as const;

/** Measures cold loads of both builds in turns, so that changes of the machine affect both alike. */
export async function benchPages(): Promise<Row[]> {
  const site = await startSite();
  const oneBundle = await startOneBundle(site);
  const browser = await chromium.launch(launchOptions());
  const rows: Row[] = [];
  try {
    for (const path of PATHS) {
      const loads: Record<'units' | 'bundle', Load[]> = { units: [], bundle: [] };
      for (let turn = 0; turn < LOADS; turn++) {
        loads.units.push(await measureLoad(browser, site.url + path));
        loads.bundle.push(await measureLoad(browser, oneBundle.url + path));
      }
      for (const measure of MEASURES) {
        const units = median(loads.units.map((load) => load[measure]));
        const bundle = median(loads.bundle.map((load) => load[measure]));
        rows.push({ path: path.split('?')[0] ?? path, measure, units, bundle, ratio: units / bundle });
      }
    }
  } finally {
    await browser.close();
    await oneBundle.stop();
    await site.stop();
  }
  return rows;
}

function measureLoad(browser: Browser, url: string): Promise<Load> {
  return onPhone(browser, async (page) => {
    await page.goto(url, { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page.evaluate(readTimings);
  });
}

/** Runs in the page. Counts the requests before the first contentful paint, and reads the times of the paints. */
async function readTimings(): Promise<Load> {
  const lcpMs = await new Promise<number>((resolve) => {
    new PerformanceObserver((list, observer) => {
      observer.disconnect();
      resolve(list.getEntries().at(-1)?.startTime ?? 0);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  const before = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ startTime }) => startTime < fcpMs,
  );
  const scripts = before.filter(({ name }) => name.includes('.js'));

  // Each request that could only begin after another one had ended counts as one more round.
  let rounds = 1;
  let end = (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[])[0]?.responseStart ?? 0;
  const byEnd = before.filter(({ responseEnd }) => responseEnd <= fcpMs).sort((a, b) => a.responseEnd - b.responseEnd);
  for (const { startTime, responseEnd } of byEnd) {
    if (startTime < end) continue;
    rounds += 1;
    end = responseEnd;
  }

  return {
    fcpMs,
    lcpMs,
    rounds,
    requests: before.length + 1,
    scripts: scripts.length,
    scriptKb: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
  };
}
