import { BENCH_PATHS, benchAddress, untilRendered } from '../pages/bench-pages.ts';
import { installPeer } from '../../machine/install-peer.ts';
import { startSite } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';
import { median } from '../measure/median.ts';
import { judgeReports, slowdownOf, type Report } from './lighthouse-bars.ts';
import { runLighthouse } from './run-lighthouse.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
/** How much Lighthouse slows a machine down by itself, to play a phone. */
const PRESET_SLOWDOWN = 4;

/**
 * Judges pages with Lighthouse, as a phone with a simulated slow connection shows them. The pages take turns.
 * @param onlyPaths the pages to judge; none: all that have bars
 * @param turns how often each of them is judged
 * @param isCalibrated whether this machine is slowed down as much as Lighthouse's calculator says for its speed; by
 * default it is as much as Lighthouse does by itself, so the points are the usual ones
 * @returns for each page its median points and whether it reached the bars; and how much this machine was slowed down.
 * Rejects when Lighthouse cannot be installed.
 */
export async function benchLighthouse(
  onlyPaths: readonly string[],
  turns: number,
  isCalibrated: boolean,
): Promise<{ rows: Row[]; slowdown: number }> {
  const folder = await installPeer(LIGHTHOUSE);
  const site = await startSite();
  const reports = new Map<string, Report[]>((onlyPaths.length > 0 ? onlyPaths : BENCH_PATHS).map((path) => [path, []]));
  let slowdown = PRESET_SLOWDOWN;
  try {
    for (const path of reports.keys()) await untilRendered(site.url + benchAddress(path));
    if (isCalibrated)
      slowdown = slowdownOf(await measureMachine(folder, site.url + benchAddress([...reports.keys()][0] ?? '')));
    for (let turn = 0; turn < turns; turn++)
      for (const [path, ofPage] of reports)
        ofPage.push(await runLighthouse(folder, site.url + benchAddress(path), slowdown));
  } finally {
    await site.stop();
  }
  return { rows: [...reports].map(([path, ofPage]) => judgeReports(path, ofPage)), slowdown };
}

/** How fast Lighthouse finds this machine: the median of three reports, because it varies by a tenth. */
async function measureMachine(folder: string, url: string): Promise<number> {
  const found: number[] = [];
  for (let turn = 0; turn < 3; turn++) found.push((await runLighthouse(folder, url, 1)).environment.benchmarkIndex);
  return median(found);
}
