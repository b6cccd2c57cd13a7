import { BENCH_PATHS, benchAddress, untilRendered } from '../pages/bench-pages.ts';
import { startSite } from '../servers.ts';
import type { Row } from '../table.ts';
import { installPeers } from './install-peers.ts';
import { judgeReports, type Report } from './lighthouse-bars.ts';
import { runLighthouse } from './run-lighthouse.ts';

/**
 * Judges pages with Lighthouse, as a phone with a simulated slow connection shows them. The pages take turns.
 * @param onlyPaths the pages to judge; none: all that have bars
 * @param turns how often each of them is judged
 * @returns for each page its median points and whether it reached the bars. Rejects when Lighthouse cannot be installed.
 */
export async function benchLighthouse(onlyPaths: readonly string[], turns: number): Promise<Row[]> {
  const folder = await installPeers();
  const site = await startSite();
  const reports = new Map<string, Report[]>((onlyPaths.length > 0 ? onlyPaths : BENCH_PATHS).map((path) => [path, []]));
  try {
    for (const path of reports.keys()) await untilRendered(site.url + benchAddress(path));
    for (let turn = 0; turn < turns; turn++)
      for (const [path, ofPage] of reports) ofPage.push(await runLighthouse(folder, site.url + benchAddress(path)));
  } finally {
    await site.stop();
  }
  return [...reports].map(([path, ofPage]) => judgeReports(path, ofPage));
}
