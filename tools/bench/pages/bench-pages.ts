import { repeatedly } from '../../../api/src/ops/progress.ts';
import { median } from '../measure/median.ts';
import { startSite, type BenchServer } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';
import { launchBareBrowser } from './bare-browser.ts';
import { measureVisits, type Load } from './measure-load.ts';
import { judgePage, type Medians, type Variant } from './page-bars.ts';
import { startClientRendered, startFloor, startOneBundle } from './variants.ts';

const RUN_PAGE = '/key-system-1';
/** The pages that have bars. */
export const BENCH_PATHS: readonly string[] = ['/v5', '/neo', RUN_PAGE, '/plans', '/resellers'];

const MEASURES = [
  'fcpMs',
  'lcpMs',
  'worksMs',
  'clickMs',
  'stepMs',
  'tbtMs',
  'longestTaskMs',
  'cls',
  'jsBeforePaintKb',
  'jsUntilWorksKb',
] as const satisfies readonly (keyof Load)[];

/**
 * Measures how pages load on a slow phone: ours, the same rendered in the browser alone, the sources as one bundle, and
 * our HTML without scripts. They take turns, so that changes of the machine affect all alike.
 * @param onlyPaths the pages to measure; none: all that have bars
 * @param turns how often each of them is loaded
 * @returns the medians, and what became of the bars
 */
export async function benchPages(
  onlyPaths: readonly string[],
  turns: number,
): Promise<{ medians: Row[]; bars: Row[] }> {
  const [ours, client] = await Promise.all([startSite(), startClientRendered()]);
  const servers: Record<Variant, BenchServer> = {
    ours,
    client,
    bundle: await startOneBundle(client),
    floor: await startFloor(ours),
  };
  const browser = await launchBareBrowser();
  const medians: Row[] = [];
  const bars: Row[] = [];
  try {
    for (const path of onlyPaths.length > 0 ? onlyPaths : BENCH_PATHS) {
      const isRun = path === RUN_PAGE;
      const pathAndQuery = benchAddress(path);
      await untilRendered(ours.url + pathAndQuery);

      const loads = Object.entries(servers).map(([variant, { url }]) => ({
        variant,
        visit: { url: url + pathAndQuery, works: variant !== 'floor', isRun },
        visits: [] as Awaited<ReturnType<typeof measureVisits>>[],
      }));
      await repeatedly(`Loads of ${pathAndQuery}`, turns, async () => {
        for (const { visit, visits } of loads) visits.push(await measureVisits(browser, visit));
      });

      for (const visit of ['first', 'second'] as const) {
        const found = Object.fromEntries(
          loads.map(({ variant, visits }) => [variant, mediansOf(visits.map((both) => both[visit]))]),
        ) as Medians;
        for (const measure of MEASURES) {
          const row = Object.fromEntries(Object.entries(found).map(([variant, load]) => [variant, load[measure]]));
          if (!Number.isNaN(row['ours'])) medians.push({ path, visit, measure, ...row });
        }
        bars.push(...judgePage(path, visit, found));
      }
    }
  } finally {
    await browser.close();
    for (const server of Object.values(servers).reverse()) await server.stop();
  }
  return { medians, bars };
}

function mediansOf(loads: readonly Load[]): Load {
  return Object.fromEntries(
    MEASURES.map((measure) => [measure, median(loads.map((load) => load[measure]))]),
  ) as unknown as Load;
}

/** The path of a page with its query: that of a run needs a device. */
export function benchAddress(path: string): string {
  return path === RUN_PAGE ? `${path}?hwid=device-bench-1&zone=bench` : path;
}

/** Waits until a site serves this page as HTML, because it renders its pages ahead of time while it already answers. */
export async function untilRendered(url: string): Promise<void> {
  while (!(await (await fetch(url)).text()).includes('data-unit='))
    await new Promise((resolve) => setTimeout(resolve, 200));
}
