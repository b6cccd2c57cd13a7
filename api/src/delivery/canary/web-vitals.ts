import { COMPARED_TIMINGS, type VitalsReport } from '@app/contracts/page-reports';
import type { Release } from '@app/contracts/release';
import { SHELL } from '@app/contracts/unit';
import type { Db, FieldTimingRow } from '#api/foundation/db/schema.ts';
import { fieldShifts, fieldTimes } from '#api/foundation/telemetry/metrics.ts';
import { createWebVitalsRepository, type TimingKey } from '#api/delivery/registry/web-vitals.repository.ts';
import type { Registry, ServedUnit } from '#api/delivery/registry/registry.ts';
import { bucketOf, dayOf } from '#api/delivery/registry/canary-regression.ts';

/** How long counts are kept, so that a canary that is open for longer is judged by its last two weeks. */
const RETENTION_DAYS = 14;

const MAX_ENTRIES = 10_000;

const SECOND_MS = 1000;

interface Deps {
  db: Db;
  registry: Pick<Registry, 'snapshot'>;
  now: () => number;
  mostKept?: number;
}

/**
 * Counts how fast pages are in browsers: all in the metrics of this server, and those of units with a canary in the
 * database, where all servers add them up. What is said of a page or a release that is not served counts for nothing, so
 * that nobody chooses a label or a row.
 */
export function createWebVitals({ db, registry, now, mostKept = MAX_ENTRIES }: Deps) {
  const counts = createWebVitalsRepository(db);
  const unwritten = new Map<string, FieldTimingRow>();
  let revision: number | undefined;
  let forgotten: number | undefined;

  function count(by: TimingKey, visits: number): void {
    const key = Object.values(by).join(' ');
    const known = unwritten.get(key);
    if (known) known.visits += visits;
    else if (unwritten.size < mostKept) unwritten.set(key, { ...by, visits });
  }

  function note(reported: VitalsReport, engine: Engine): void {
    const { units, revision: newest } = registry.snapshot();
    // Otherwise each release of before would keep its series for as long as the server runs.
    if (newest !== revision) for (const metric of [fieldTimes, fieldShifts]) metric.reset();
    revision = newest;

    const owner = [...units].find(
      ([unit, served]) =>
        unit !== SHELL && pickRelease(served, reported.version)?.routes.some(({ path }) => path === reported.page),
    );
    const shell = units.get(SHELL);
    if (!owner || !shell || !pickRelease(shell, reported.shell)) return;

    const [unit, served] = owner;
    const { page, shell: shellVersion, version, cached } = reported;
    const labels = { page, engine, release: `${unit}@${version}`, shell: shellVersion };
    for (const timing of ['works', 'lcp', 'inp'] as const) {
      const ms = reported[timing];
      if (ms !== undefined) fieldTimes.observe({ ...labels, timing }, ms / SECOND_MS);
    }
    if (reported.cls !== undefined) fieldShifts.observe(labels, reported.cls);

    for (const timing of COMPARED_TIMINGS) {
      const ms = reported[timing];
      if (ms === undefined) continue;
      const rest = { day: dayOf(now()), page, cached: cached ? 1 : 0, timing, bucket: bucketOf(ms) } as const;
      if (served.canary) count({ unit, version, ...rest }, 1);
      if (shell.canary) count({ unit: SHELL, version: shellVersion, ...rest }, 1);
    }
  }

  /** Writes what was counted, and forgets what is old. What the database does not take waits for the next turn. */
  async function turn(): Promise<void> {
    const day = dayOf(now());
    if (day !== forgotten) await counts.forget(day - RETENTION_DAYS);
    forgotten = day;
    if (unwritten.size === 0) return;

    const taken = [...unwritten.values()];
    unwritten.clear();
    try {
      await counts.add(taken);
    } catch (error) {
      for (const { visits, ...by } of taken) count(by, visits);
      throw error;
    }
  }

  return { note, turn };
}

export type WebVitals = ReturnType<typeof createWebVitals>;

function pickRelease({ stable, canary }: ServedUnit, version: string): Release | undefined {
  return [stable, canary?.release].find((release) => release?.version === version);
}

export type Engine = 'chromium' | 'firefox' | 'webkit' | 'other';

/** Names the engine of a browser. All browsers of iOS have WebKit. */
export function engineOf(userAgent = ''): Engine {
  if (/ Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrome\//.test(userAgent)) return 'chromium';
  return / AppleWebKit\//.test(userAgent) ? 'webkit' : 'other';
}
