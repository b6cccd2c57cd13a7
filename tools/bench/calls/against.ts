import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { withPostgres } from '../../machine/postgres.ts';
import { run } from '../../machine/run.ts';
import type { World } from '../../attack/world/world.ts';
import type { Comparison } from './bars.ts';
import { CALLS, finishVisits, inTurns, measureCalls, measureReturns, openSite } from './calls.ts';
import { median } from '../measure/median.ts';

const ROUNDS = 3;

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
export async function benchAgainst(before: EarlierBuild): Promise<Comparison[]> {
  return [...(await compareOn(before)), ...(await withPostgres((postgres) => compareOn(before, postgres)))];
}

async function compareOn(before: EarlierBuild, postgres?: { url: string }): Promise<Comparison[]> {
  const earlier = await openSite({ ...before, postgres });
  const present = await openSite({ postgres });
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
