import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { repeatWithProgress } from '../../api/src/ops/progress.ts';
import { browserPath, launchOptions } from '../machine/browsers.ts';
import { createServer } from '../site/server.ts';
import { measureVisits, type Load } from './measure-load.ts';
import { median, type Row } from './table.ts';

const SERVER_BUNDLE = 'server.cjs';
const RUN_PAGE = '/key-system-1';
/** The pages that have bars. */
const BENCH_PATHS: readonly string[] = ['/v5', '/neo', RUN_PAGE, '/plans', '/resellers'];

const METRICS = ['lcpMs', 'worksMs', 'clickMs', 'stepMs', 'tbtMs', 'cls', 'jsUntilWorksKb'] as const;

interface Threshold {
  measure: keyof Load;
  visit: 'first' | 'second';
  /** Whether ours is divided by the client's; else the limit is a figure. */
  isRatio: boolean;
  limit: number;
}

const THRESHOLDS: readonly Threshold[] = [
  { measure: 'lcpMs', visit: 'first', isRatio: true, limit: 0.55 },
  { measure: 'worksMs', visit: 'first', isRatio: true, limit: 0.95 },
  { measure: 'worksMs', visit: 'second', isRatio: true, limit: 1 },
  { measure: 'clickMs', visit: 'first', isRatio: true, limit: 1.05 },
  { measure: 'stepMs', visit: 'first', isRatio: true, limit: 0.9 },
  { measure: 'stepMs', visit: 'second', isRatio: true, limit: 1 },
  { measure: 'jsUntilWorksKb', visit: 'first', isRatio: false, limit: 110 },
  { measure: 'cls', visit: 'first', isRatio: false, limit: 0.01 },
];

/**
 * Measures how pages load on a slow phone: ours, and the same build rendered in the browser alone. They take turns, so
 * that changes of the machine affect both alike.
 * @param onlyPaths the pages to measure; none: all that have bars
 * @param turns how often each of them is loaded
 */
export async function benchPages(onlyPaths: readonly string[], turns: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const start = (variant: string, root: string) =>
    createServer({ root, folder: join(folder, variant), settings: {}, limits: {} });
  const sites = { ours: start('ours', '.'), client: start('client', copyWithoutRendering()) };
  const browser = await chromium.launch({ ...launchOptions(), executablePath: browserPath() });
  const rows: Row[] = [];
  try {
    const urls = { ours: await sites.ours.start(), client: await sites.client.start() };
    for (const path of onlyPaths.length > 0 ? onlyPaths : BENCH_PATHS) {
      const pathAndQuery = path === RUN_PAGE ? `${path}?hwid=device-bench-1&zone=bench` : path;
      await untilRendered(urls.ours + pathAndQuery);
      const loads = {
        ours: [] as Record<Threshold['visit'], Load>[],
        client: [] as Record<Threshold['visit'], Load>[],
      };
      await repeatWithProgress(`Loads of ${pathAndQuery}`, turns, async () => {
        for (const variant of ['ours', 'client'] as const)
          loads[variant].push(
            await measureVisits(browser, { url: urls[variant] + pathAndQuery, isRun: path === RUN_PAGE }),
          );
      });
      for (const visit of ['first', 'second'] as const)
        for (const measure of METRICS) {
          const of = (variant: keyof typeof loads) => median(loads[variant].map((both) => both[visit][measure]));
          // Only a page of a run shows a step.
          if (!Number.isNaN(of('ours')))
            rows.push({ path, visit, measure, ours: of('ours'), client: of('client'), ...judge(measure, visit, of) });
        }
    }
  } finally {
    await browser.close();
    await sites.client.stop();
    await sites.ours.stop();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

/**
 * Copies the build without its server bundles: its pages are rendered in the browser alone, and make their first call
 * themselves, once their code runs.
 * @returns the folder of the copy
 */
function copyWithoutRendering(): string {
  const folder = 'dist/.client-rendered';
  rmSync(folder, { recursive: true, force: true });
  for (const target of readdirSync('dist')) {
    if (target.startsWith('.')) continue;
    const copy = join(folder, 'dist', target);
    cpSync(join('dist', target), copy, { recursive: true });
    for (const version of readdirSync(copy)) {
      const manifest = join(copy, version, 'release.json');
      if (!existsSync(manifest)) continue;

      const release = JSON.parse(readFileSync(manifest, 'utf8')) as {
        files: Record<string, unknown>;
        routes: { firstCall?: string }[];
      };
      delete release.files[SERVER_BUNDLE];
      for (const route of release.routes) delete route.firstCall;
      writeFileSync(manifest, JSON.stringify(release));
      rmSync(join(copy, version, SERVER_BUNDLE), { force: true });
    }
  }
  symlinkSync(resolve('api'), join(folder, 'api'));
  return folder;
}

function judge(measure: keyof Load, visit: Threshold['visit'], of: (variant: 'ours' | 'client') => number) {
  const bar = THRESHOLDS.find((one) => one.measure === measure && one.visit === visit);
  const ratio = of('ours') / of('client');
  if (!bar) return { ratio, bar: '', verdict: '' };
  return { ratio, bar: bar.limit, verdict: (bar.isRatio ? ratio : of('ours')) <= bar.limit ? 'held' : 'missed' };
}

/** Waits until a site serves this page as HTML, because it renders its pages ahead of time while it already answers. */
export async function untilRendered(url: string): Promise<void> {
  while (!(await (await fetch(url)).text()).includes('data-unit='))
    await new Promise((resolve) => setTimeout(resolve, 200));
}
