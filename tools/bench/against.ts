import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { repeatWithProgress } from '../../api/src/ops/progress.ts';
import type { World } from '../attack/world/world.ts';
import { withPostgres } from '../machine/postgres.ts';
import { run } from '../machine/run.ts';
import type { createServer } from '../site/server.ts';
import { openSite, playRuns } from './calls.ts';
import { findPostmaster } from './cost.ts';
import { untilRendered } from './pages.ts';
import { familyMs, processorMs, residentKb } from './processors.ts';
import { median, type Row } from './table.ts';

/** Short turns, and many: the processor of a shared machine changes within seconds. */
const TURNS = 25;
/** A thousand runs in all. */
const RUNS = 40;
/** How much a run and a server may cost beside before. Processor times vary by a tenth without any reason. */
const MAX_RATIO = 1.1;
/** After so long, a server that has started is idle. */
const SETTLE_MS = 30_000;

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
 * Measures the build of this folder and that of an earlier commit, in turns on each database. The same code plays both
 * from outside, so the earlier commit only needs the same settings and calls. Each is started as its own tools start it.
 */
export async function benchAgainst(before: EarlierBuild): Promise<Row[]> {
  return [...(await compareOn(before)), ...(await withPostgres((postgres) => compareOn(before, postgres)))];
}

async function compareOn({ root, node }: EarlierBuild, postgres?: { url: string }): Promise<Row[]> {
  const earlier = (await import(join(root, 'tools/site/server.ts'))) as { createServer: typeof createServer };
  const sites = [
    await openSite({ postgres, createServer: (options) => earlier.createServer({ ...options, root, node }) }),
    await openSite({ postgres }),
  ];
  try {
    const [before = [], now = []] = await inTurns(sites);
    return before.map(({ what, value }, nth) => ({
      database: sites[1]?.database.name ?? '',
      what,
      ...assess(value, now[nth]?.value ?? NaN),
    }));
  } finally {
    for (const site of sites) await site.close();
  }
}

type Figures = { what: string; value: number }[];

/** Measures each site in turns, so that changes of the machine affect all alike. */
async function inTurns(sites: readonly World[]): Promise<Figures[]> {
  const measured: { site: World; once: Figures; turns: Cost[] }[] = [];
  for (const site of sites) {
    await untilRendered(`${site.client.baseUrl}/key-system-1`);
    await wait(SETTLE_MS);
    const first = residentMb(site);
    await site.server.stop();
    await site.start();
    await fetch(`${site.client.baseUrl}/v5`);
    const start = processorMs(pidOf(site));
    await wait(SETTLE_MS);
    const once = [
      { what: 'start, processor ms', value: start },
      { what: 'idle after the first start, MB', value: first },
      { what: 'idle, MB', value: residentMb(site) },
    ];
    measured.push({ site, once, turns: [] });
  }
  await repeatWithProgress(sites[0]?.database.name ?? '', TURNS, async (turn) => {
    for (const { site, turns } of measured) {
      const cost = await measureRuns(site);
      // The first turn is only a warm-up.
      if (turn > 0) turns.push(cost);
    }
  });
  return measured.map(({ site, once, turns }) => [
    ...(['server', 'PostgreSQL'] as const)
      .map((of) => ({ what: `a run, ${of}'s processor ms`, value: median(turns.map((cost) => cost[of])) }))
      .filter(({ value }) => !Number.isNaN(value)),
    ...once,
    { what: `after ${TURNS * RUNS} runs, MB`, value: residentMb(site) },
  ]);
}

/** Milliseconds of a processor for each run. */
type Cost = Record<'server' | 'PostgreSQL', number>;

async function measureRuns(site: World): Promise<Cost> {
  const postmaster = site.database.name === 'PostgreSQL' ? await findPostmaster(site) : undefined;
  const read = (): Cost => ({
    server: processorMs(pidOf(site)),
    PostgreSQL: postmaster === undefined ? NaN : familyMs(postmaster),
  });
  const before = read();
  await playRuns(site, RUNS);
  const after = read();
  return {
    server: (after.server - before.server) / RUNS,
    PostgreSQL: (after.PostgreSQL - before.PostgreSQL) / RUNS,
  };
}

export function assess(before: number, now: number): Row {
  const ratio = now / before;
  return { before, now, 'now/before': ratio, bar: MAX_RATIO, verdict: ratio > MAX_RATIO ? 'missed' : 'held' };
}

const pidOf = ({ server }: World) => server.pid() ?? 0;
const residentMb = (site: World) => Math.round(residentKb(pidOf(site)) / 1024);
