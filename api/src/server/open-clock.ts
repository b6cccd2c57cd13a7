import { isSqlite, readDatabaseNow } from '#api/foundation/db/dialect.ts';
import { createOutageLog } from '#api/foundation/jobs/periodic-job.ts';
import type { Module, Site } from '#api/foundation/module.ts';
import { clockOffset } from '#api/foundation/telemetry/metrics.ts';

/** How far the clock of a server may be off, in milliseconds. Hosts that keep time are off by a part of a second. */
const MAX_CLOCK_SKEW_MS = 5000;

const INTERVAL_MS = 2000;

export interface Clock extends Module {
  /** A sentence when this server's clock is wrong. */
  problem: () => string | undefined;
}

/**
 * Compares the clock of this server with that of the database, which all servers share: what one of them writes ends by
 * the clock of another. SQLite has the clock of its one server.
 */
export async function openClock({ db, log, now }: Pick<Site, 'db' | 'log' | 'now'>): Promise<Clock> {
  let problem: string | undefined;
  const attempt = createOutageLog(log, {
    away: 'this server is not ready: its clock and that of the database differ. Set the wrong one (timedatectl)',
    back: 'the clocks of this server and of the database agree again',
  });

  async function compare(): Promise<void> {
    const asked = now();
    // While the database is away, others say so.
    const there = await readDatabaseNow(db).catch(() => undefined);
    if (there === undefined) return;

    // The time that the question took is no difference.
    const offMs = Math.max(asked - there, 0) + Math.min(now() - there, 0);
    clockOffset.set(offMs / 1000);
    const seconds = Math.round(Math.abs(offMs) / 1000);
    problem =
      Math.abs(offMs) > MAX_CLOCK_SKEW_MS
        ? `This server's clock is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} that of the database.`
        : undefined;
    await attempt(() => (problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem))));
  }

  if (!isSqlite(db)) await compare();
  return {
    routes: {},
    jobs: isSqlite(db) ? [] : [{ run: compare, intervalMs: INTERVAL_MS }],
    problem: () => problem,
  };
}
