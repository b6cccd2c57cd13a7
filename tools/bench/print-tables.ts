import { resolve } from 'node:path';
import { withProgress } from '../../api/src/ops/progress.ts';
import { ensureChromium } from '../machine/chromium.ts';
import { installPeer } from '../machine/install-peer.ts';
import { run } from '../machine/run.ts';
import { RSPACK } from '../units/build-outdated.ts';
import { benchBuilds } from './builds.ts';
import { benchAgainst, withEarlier } from './calls/against.ts';
import { benchAudit } from './calls/audit.ts';
import { assess } from './calls/bars.ts';
import { benchPastRuns, benchReturns } from './calls/storage.ts';
import { benchCapacity } from './capacity/capacity.ts';
import { benchLoad } from './capacity/load.ts';
import { benchHtml } from './html/html.ts';
import { benchHtmlBesideExpress } from './html/html-beside-express.ts';
import { printTable, type Row } from './measure/table.ts';
import { benchPages } from './pages/bench-pages.ts';
import { benchPress } from './pages/bench-press.ts';
import { benchLighthouse } from './peers/bench-lighthouse.ts';
import { benchSockets } from './sockets.ts';

const SOCKET_IO = 'socket.io@4.8.4';

export interface BenchOptions {
  /** The names of the parts that are printed; without one, all that are printed by default. */
  parts: readonly string[];
  /** The pages that are measured; without one, the usual five. */
  paths: readonly string[];
  /** How often each page is loaded. */
  loads: number | undefined;
  /** For how many runs bytes are counted; without it, the usual number. */
  runs: number | undefined;
  /** Whether Lighthouse slows the machine down as its calculator says. */
  isCalibrated: boolean;
  /** The visitors of `load`. */
  load: { perMinute: number; seconds: number; isProxied: boolean };
}

interface Part {
  names: readonly string[];
  isDefault?: true;
  /** Prints its tables. Returns the rows that may have missed a bar. */
  print: (options: BenchOptions) => Promise<readonly Row[] | void>;
}

const PARTS: readonly Part[] = [
  {
    names: ['builds'],
    isDefault: true,
    print: () => print('Builds: a unit alone beside everything from nothing, median of 3', benchBuilds()),
  },
  {
    names: ['html'],
    isDefault: true,
    print: () => print('HTML beside bare Express: 8 at a time, medians of 20 turns', benchHtmlBesideExpress()),
  },
  {
    names: ['pages'],
    isDefault: true,
    async print({ paths, loads = 9 }) {
      await ensureChromium();
      await run(process.execPath, [resolve(RSPACK), 'build'], { cwd: 'tools/bench/one-bundle' });
      const { medians, bars } = await benchPages(paths, loads);
      printTable(`Pages: medians of ${loads} loads in turns, 150 ms, 1.6 Mbit/s, processor 4× slower`, medians);
      printTable('Pages: what became of the bars', bars);
      return bars;
    },
  },
  {
    names: ['press'],
    isDefault: true,
    async print({ loads = 9 }) {
      await ensureChromium();
      return print(`First useful press, and a run in one browser: medians of ${loads}`, benchPress(loads));
    },
  },
  {
    names: ['lighthouse', 'peers'],
    async print({ paths, loads = 5, isCalibrated }) {
      await ensureChromium();
      const { rows, slowdown } = await benchLighthouse(paths, loads, isCalibrated);
      const machine = `a simulated phone, ${slowdown} × slower than this machine`;
      printTable(`Lighthouse on ${machine}: points, median of ${loads}`, rows);
      return rows;
    },
  },
  {
    names: ['sockets', 'peers'],
    isDefault: true,
    async print({ parts }) {
      const peer = parts.includes('peers') ? await installPeer(SOCKET_IO) : undefined;
      return print('Sockets: the live count beside others, median of 3', benchSockets(peer));
    },
  },
  {
    names: ['audit'],
    isDefault: true,
    print: () =>
      print('Returns beside those without an audit: commits of 5 ms, 32 at a time, median of 5', benchAudit()),
  },
  {
    names: ['capacity'],
    print: ({ runs = 10_000 }) => withProgress('Capacity', () => benchCapacity(runs, printTable)),
  },
  {
    names: ['load'],
    print: ({ load }) => withProgress(`${load.perMinute} visitors a minute`, () => benchLoad(load, printTable)),
  },
  {
    names: ['storage'],
    isDefault: true,
    async print() {
      await print('Returns: requests per second, 8 at a time, median of 5', benchReturns());
      await print('Past runs: requests per second, 8 at a time, median of 5', benchPastRuns());
    },
  },
];

/**
 * Prints the tables of docs/benchmarks.md and docs/capacity.md.
 * @returns whether no bar was missed
 */
export async function printTables(options: BenchOptions): Promise<boolean> {
  const { parts } = options;
  let isHeld = true;
  for (const { names, isDefault, print } of PARTS) {
    const isWanted = parts.length === 0 ? isDefault : names.some((name) => parts.includes(name));
    if (isWanted && isMissed(await print(options))) isHeld = false;
  }
  return isHeld;
}

/**
 * Prints a table beside an earlier commit: of the pages, or of the calls of a run.
 * @returns whether no bar was missed
 */
export async function printComparison(commit: string, node: string, what: 'html' | 'calls'): Promise<boolean> {
  const rows =
    what === 'html'
      ? await withEarlier(commit, node, benchHtml)
      : (await withEarlier(commit, node, benchAgainst)).map(assess);
  const title = {
    html: `Pages per second beside ${commit}: 8 at a time, medians of 40 turns`,
    calls: `Calls per second beside ${commit}: three rounds of 5 turns each`,
  }[what];
  printTable(title, rows);
  return !isMissed(rows);
}

async function print(title: string, measuring: Promise<readonly Row[]>): Promise<readonly Row[]> {
  const rows = await measuring;
  printTable(title, rows);
  return rows;
}

function isMissed(rows: readonly Row[] | void): boolean {
  return (rows ?? []).some(({ verdict }) => verdict === 'missed');
}
