import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withPostgres } from '../postgres.ts';
import { run } from '../run.ts';
import type { World } from '../attack/world.ts';
import type { Comparison } from './bars.ts';
import { CALLS, finishVisits, inTurns, measureCalls, measureReturns, openSite } from './calls.ts';
import { median } from './median.ts';

const ROUNDS = 3;
const PAST_RUNS = 1000;

const INSTALL = fileURLToPath(new URL('../install.ts', import.meta.url));

/**
 * Builds an earlier commit in a folder of its own, which is removed afterwards.
 * @param commit any name that git resolves to a commit
 * @param use is given the folder
 */
export async function withEarlier<Result>(commit: string, use: (root: string) => Promise<Result>): Promise<Result> {
  const hash = execFileSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(tmpdir(), 'bench-against-'));
  const root = join(folder, hash.slice(0, 12));
  try {
    await run('git', ['worktree', 'add', '--detach', '--quiet', root, hash]);
    await run(process.execPath, [INSTALL], { cwd: root });
    await run('npm', ['run', '--silent', 'build'], { cwd: root });
    return await use(root);
  } finally {
    rmSync(folder, { recursive: true });
    await run('git', ['worktree', 'prune']);
  }
}

/**
 * Measures the build of this folder and the build of an earlier commit in turns, on each database. The same code drives
 * both from outside, so the earlier commit only needs the same settings and calls.
 * @param root the folder of the earlier commit
 */
export async function benchAgainst(root: string): Promise<Comparison[]> {
  return [...(await compareOn(root)), ...(await withPostgres((postgres) => compareOn(root, postgres)))];
}

/** Compares both builds on one database. `before` is the folder of the earlier commit. */
async function compareOn(before: string, postgres?: { url: string }): Promise<Comparison[]> {
  const earlier = await openSite({ root: before, postgres, pastRuns: PAST_RUNS });
  const present = await openSite({ postgres, pastRuns: PAST_RUNS });
  try {
    const rounds: Record<'before' | 'now', Rates[]>[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      console.log(`${present.database.name}: round ${round} of ${ROUNDS}`);
      rounds.push(await inTurns({ before: () => measureAll(earlier), now: () => measureAll(present) }));
    }
    return [...CALLS, 'return without a question' as const].map((call) => ({
      database: present.database.name,
      call,
      ratios: rounds.map(({ before, now }) => middleOf(now, call) / middleOf(before, call)),
    }));
  } finally {
    await earlier.close();
    await present.close();
  }
}

/** Calls per second. */
type Rates = Awaited<ReturnType<typeof measureAll>>;

/** Measures all calls of a run, and the return from Rinku, which needs no call to the advertiser. */
async function measureAll(site: World) {
  const calls = await measureCalls(site);
  const silent = await measureReturns(site.client, await finishVisits(site, 'rinku'));
  return { ...calls, 'return without a question': silent };
}

function middleOf(turns: readonly Rates[], call: keyof Rates): number {
  return median(turns.map((rates) => rates[call]));
}
