import { withProgress } from '../../api/src/ops/progress.ts';
import { ensureChromium } from '../machine/browsers.ts';
import { benchAgainst, withEarlier } from './against.ts';
import { benchCost } from './cost.ts';
import { benchLoad } from './load.ts';
import { benchPages } from './pages.ts';
import { printTable, type Row } from './table.ts';

export interface BenchOptions {
  /** `pages`, `cost` and `load`; without one, pages and cost. */
  parts: readonly string[];
  /** The pages that are measured; without one, the usual five. */
  paths: readonly string[];
  /** How often each page is loaded. */
  loads: number;
  /** For how many runs bytes are counted. */
  runs: number;
  /** The visitors of `load`. */
  load: { perMinute: number; seconds: number };
}

/**
 * Prints the tables of docs/benchmarks.md and docs/capacity.md.
 * @returns whether no bar was missed
 */
export async function printTables({ parts, paths, loads, runs, load }: BenchOptions): Promise<boolean> {
  let isHeld = true;
  if (parts.length === 0 || parts.includes('pages')) {
    await ensureChromium();
    const rows = await benchPages(paths, loads);
    printTable(`Pages: medians of ${loads} loads in turns, 150 ms, 1.6 Mbit/s, processor 4× slower`, rows);
    isHeld = !isMissed(rows);
  }
  if (parts.length === 0 || parts.includes('cost')) await withProgress('Cost', () => benchCost(runs, printTable));
  if (parts.includes('load'))
    await withProgress(`${load.perMinute} visitors a minute`, () => benchLoad(load, printTable));
  return isHeld;
}

/**
 * Prints what a run and a server cost beside an earlier commit.
 * @returns whether no bar was missed
 */
export async function printComparison(commit: string, node: string): Promise<boolean> {
  const rows = await withEarlier(commit, node, benchAgainst);
  printTable(`Beside ${commit}: medians of 24 turns`, rows);
  return !isMissed(rows);
}

function isMissed(rows: readonly Row[]): boolean {
  return rows.some(({ verdict }) => verdict === 'missed');
}
