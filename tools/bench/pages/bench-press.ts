import { execFileSync } from 'node:child_process';
import { repeatedly } from '../../../api/src/ops/progress.ts';
import { median } from '../measure/median.ts';
import { startSite } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';
import { launchBareBrowser } from './bare-browser.ts';
import { benchAddress, untilRendered } from './bench-pages.ts';
import { measureInTurn, type Load, type Visit } from './measure-load.ts';

/** The link that each page is for. */
const ACTIONS: Readonly<Record<string, RegExp>> = {
  '/v5': /^Download$/,
  '/neo': /^Download$/,
  '/plans': /^Get Basic$/,
};
const STEPS = [2, 3, 4, 5, 6];
const COMPLETE = /^Complete/;

/** How long after the largest paint a press may still do nothing. */
const PRESS_BY_LCP = 1.15;
/** What a step of a run may fetch after another. */
const STEP_KB = 25;

/**
 * Measures when a press on what a page is for works: on pages that are opened for the first time, and on the steps of a
 * run that a browser opens one after another. Of these it counts what comes over the line, too.
 */
export async function benchPress(turns: number): Promise<Row[]> {
  const site = await startSite();
  const browser = await launchBareBrowser();
  try {
    const pages = Object.entries(ACTIONS).map(([path, action]): Visit => ({
      url: site.url + path,
      works: true,
      isRun: false,
      action,
    }));
    const steps = STEPS.map((step): Visit => ({
      url: openStep(site, step),
      works: true,
      isRun: false,
      action: COMPLETE,
    }));
    const begin: Visit = { url: site.url + benchAddress('/key-system-1'), works: true, isRun: true };
    for (const { url } of [...pages, begin, ...steps]) await untilRendered(url);

    const loads = new Map<string, Load[]>([...pages, ...steps].map(({ url }) => [url, []]));
    await repeatedly('Presses', turns, async () => {
      for (const page of pages) loads.get(page.url)?.push(...(await measureInTurn(browser, [page])));
      const [, ...ofRun] = await measureInTurn(browser, [begin, ...steps]);
      steps.forEach(({ url }, at) => loads.get(url)?.push(...ofRun.slice(at, at + 1)));
    });
    return [...loads].flatMap(([url, measured]) => judge(new URL(url).pathname, measured));
  } finally {
    await browser.close();
    await site.stop();
  }
}

/** Puts a device to a step, and returns the address of its page. */
function openStep(site: { url: string; dataDir: string }, step: number): string {
  const env = { ...process.env, NODE_ENV: 'development', DATA_DIR: site.dataDir, BASE_URL: site.url };
  return execFileSync(process.execPath, ['dist/api/seed.js', `step-${step}`], { env, encoding: 'utf8' }).trim();
}

function judge(path: string, loads: readonly Load[]): Row[] {
  const of = (measure: keyof Load) => median(loads.map((load) => load[measure]));
  const row = { path, lcpMs: of('lcpMs'), worksMs: of('worksMs'), pressMs: of('pressMs') };
  return [
    { ...row, ...verdict('press / lcp', row.pressMs / row.lcpMs, PRESS_BY_LCP) },
    ...(path in ACTIONS ? [] : [{ ...row, ...verdict('kB over the line', of('lineKb'), STEP_KB) }]),
  ];
}

function verdict(measure: string, found: number, bar: number) {
  return { measure, found, bar, verdict: found <= bar ? 'held' : 'missed' };
}
