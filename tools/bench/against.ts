import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { repeatWithProgress } from '../../api/src/ops/progress.ts';
import type { World } from '../attack/world/world.ts';
import { withPostgres } from '../machine/postgres.ts';
import { run } from '../machine/run.ts';
import { CALLS, finishVisits, measureCalls, measureReturns, openSite } from './calls.ts';
import { median, type Row } from './table.ts';

const ROUNDS = 3;
const TURNS = 5;
/** How fast a call has to be, as a ratio to its speed before. Rates vary by a tenth without any reason. */
const MIN_RATIO = 0.9;
/** A call misses its bar when it does in this many rounds. A single slow round may be the machine's fault. */
const MIN_MISSED_ROUNDS = 2;

export interface EarlierBuild {
  /** The folder of its sources. */
  root: string;
  /** The program that runs its servers: the Node that it was made for. */
  node: string;
}

/**
 * Builds an earlier commit in a folder of its own, which is removed afterwards.
 * @param commit any name that git resolves to a commit
 * @param node the program that installs, builds and runs it
 */
export async function withEarlier<Result>(
  commit: string,
  node: string,
  use: (earlier: EarlierBuild) => Promise<Result>,
): Promise<Result> {
  const hash = execFileSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(tmpdir(), 'bench-against-'));
  const root = join(folder, hash.slice(0, 12));
  try {
    await run('git', ['worktree', 'add', '--detach', '--quiet', root, hash]);
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` };
    // Commits for Node 20 do not install when they build.
    const installer = join(root, 'scripts/install.mjs');
    if (existsSync(installer)) await run(node, [installer], { cwd: root, env });
    await run('npm', ['run', '--silent', 'build'], { cwd: root, env });
    return await use({ root, node });
  } finally {
    rmSync(folder, { recursive: true });
    await run('git', ['worktree', 'prune']);
  }
}

/**
 * Measures the build of this folder and the build of an earlier commit in turns, on each database. The same code drives
 * both from outside, so the earlier commit only needs the same settings and calls.
 */
export async function benchAgainst(before: EarlierBuild): Promise<Row[]> {
  return [...(await compareOn(before)), ...(await withPostgres((postgres) => compareOn(before, postgres)))];
}

async function compareOn(before: EarlierBuild, postgres?: { url: string }): Promise<Row[]> {
  const sites = { before: await openSite({ ...before, postgres }), now: await openSite({ postgres }) };
  const { name } = sites.now.database;
  try {
    const rounds: Record<keyof typeof sites, Rates[]>[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const measured = { before: [] as Rates[], now: [] as Rates[] };
      // In turns, so that changes of the machine affect both alike. The first turn is only a warm-up.
      await repeatWithProgress(`${name}: round ${round} of ${ROUNDS}`, TURNS + 1, async (turn) => {
        for (const which of ['before', 'now'] as const) {
          const rates = await measureAll(sites[which]);
          if (turn > 0) measured[which].push(rates);
        }
      });
      rounds.push(measured);
    }
    return [...CALLS, 'return without a question' as const].map((call) => {
      const middle = (turns: readonly Rates[]) => median(turns.map((rates) => rates[call]));
      return { database: name, call, ...assess(rounds.map((round) => middle(round.now) / middle(round.before))) };
    });
  } finally {
    await sites.before.close();
    await sites.now.close();
  }
}

/** @param ratios calls per second now, divided by calls per second before, for each round */
export function assess(ratios: readonly number[]): Row {
  const isMissed = ratios.filter((ratio) => ratio < MIN_RATIO).length >= MIN_MISSED_ROUNDS;
  return {
    rounds: ratios.map((ratio) => ratio.toFixed(2)).join(' '),
    'now/before': median(ratios),
    bar: MIN_RATIO,
    verdict: isMissed ? 'missed' : 'held',
  };
}

/** Calls per second. */
type Rates = Awaited<ReturnType<typeof measureAll>>;

/** Measures all calls of a run, and the return from Rinku, which needs no call to the advertiser. */
async function measureAll(site: World) {
  const calls = await measureCalls(site);
  const silent = await measureReturns(site.client, await finishVisits(site, 'rinku'));
  return { ...calls, 'return without a question': silent };
}
