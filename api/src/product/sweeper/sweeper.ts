import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { createAuditService } from '#api/foundation/audit/audit.service.ts';
import type { AuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { sealAudit } from '#api/foundation/audit/seal-audit.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { expireRun, measureRuns, runSequentially } from '#api/product/key-system/sweep-runs.ts';
import { measureVisits } from '#api/product/stats/measure-visits.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import type { CountedKind } from '#api/product/stats/counts.repository.ts';
import { createExpiryRepository } from './expiry.repository.ts';
import { createRetentionRepository, NETWORK_COLUMNS, OLD_ROWS, type OldRows } from './retention.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Rows in a batch: few enough that requests hardly wait for one. */
const BATCH = 200;

interface SweeperDeps {
  db: Db;
  limits: Limits;
  /** These do at most `limit` rows, and give how many there were. */
  creditConfirmed: (limit: number) => Promise<number>;
  remindOwners: (limit: number) => Promise<number>;
  fillMailboxes: (limit: number) => Promise<number>;
  /** Up to when these have been counted, epoch milliseconds. */
  countedUntil: (what: readonly CountedKind[]) => Promise<number>;
  signingKey: () => Signer;
  /** Stores the trusted keys and the anchors of the audit. */
  auditTrust: AuditTrust;
  log: Pick<Logger, 'info' | 'error'>;
  now: () => number;
}

/** `doBatch` gives how many rows it did. */
interface Job {
  name: string;
  doBatch: () => Promise<number>;
}

/**
 * Makes a sweep, which does every job once. A job that fails does not stop the others; it is tried again in the next
 * sweep. Several servers may sweep one database at once.
 */
export function createSweep({
  db,
  limits,
  creditConfirmed,
  remindOwners,
  fillMailboxes,
  countedUntil,
  signingKey,
  auditTrust,
  log,
  now,
}: SweeperDeps): (signal: AbortSignal) => Promise<void> {
  const expiry = createExpiryRepository(db);
  const retention = createRetentionRepository(db);
  const audit = createAuditService({
    audit: createAuditRepository(db),
    trust: auditTrust,
    signingKey,
    retentionDays: limits.retentionDays.audit,
    now,
  });
  const cutoff = (days: keyof Limits['retentionDays']) => now() - limits.retentionDays[days] * DAY_MS;
  const runsEndedBefore = () => now() - Math.max(DAY_MS, limits.runMaxMs);

  const jobs: readonly Job[] = [
    // First of all: what was confirmed in time counts, even if no server ran for a while.
    { name: 'credit', doBatch: () => creditConfirmed(BATCH) },
    { name: 'expire', doBatch: expireRuns },
    // What is anchored afterwards has the whole day in it.
    { name: 'seal', doBatch: () => sealAudit(db, BATCH) },
    { name: 'anchor', doBatch: anchorAudit },
    { name: 'measure', doBatch: () => measureRuns({ db, now }) },
    { name: 'measure visits', doBatch: () => measureVisits({ db, now }) },
    { name: 'remind', doBatch: () => remindOwners(BATCH) },
    { name: 'fill mailboxes', doBatch: () => fillMailboxes(BATCH) },
    ...NETWORK_COLUMNS.map((place) => ({
      name: `forget networks of ${place.table}`,
      doBatch: () => retention.forgetNetworks(place, place.also ? runsEndedBefore() : cutoff('networks'), BATCH),
    })),
    ...OLD_ROWS.map((rows) => ({ name: `remove from ${rows.table}`, doBatch: createRemoval(rows) })),
    { name: 'remove from audit_event', doBatch: () => audit.removeOld(BATCH) },
  ];

  async function expireRuns(): Promise<number> {
    const at = now();
    const times = { at, claimedBefore: at - limits.checkingMs };
    const stale = await expiry.listStale(times, BATCH);
    // One run in a transaction: a transaction that locks two runs could deadlock.
    await runSequentially(stale, (runId) => expireRun({ db }, runId, times));

    return stale.length;
  }

  /**
   * What is not counted yet stays until it is. Rows that stay for another reason are looked at again a day later: in every
   * sweep they would be ever more.
   */
  function createRemoval(rows: OldRows): () => Promise<number> {
    let [after, beganAt] = [0, 0];
    return async () => {
      const at = now();
      if (Math.abs(at - beganAt) >= DAY_MS) [after, beganAt] = [0, at];
      const oldest = cutoff(rows.days);
      const before = rows.countedBy ? Math.min(oldest, await countedUntil(rows.countedBy)) : oldest;
      const removed = await retention.remove(rows, before, BATCH, { after, now: at });
      if (removed < BATCH) after = before;
      return removed;
    };
  }

  async function anchorAudit(): Promise<number> {
    // A signed anchor belongs in the log as well, which access to the database alone cannot change.
    for (const { day, jws } of await audit.anchorEndedDays()) log.info({ job: 'anchor', day, jws }, 'swept');

    return 0;
  }

  async function runJob({ name, doBatch }: Job, signal: AbortSignal): Promise<void> {
    let rows = 0;
    let batch;
    do {
      batch = await doBatch();
      rows += batch;
      // SQLite answers without ever waiting, so requests get a turn only here.
      await nextTurn();
    } while (batch === BATCH && !signal.aborted);

    if (rows > 0) log.info({ job: name, rows }, 'swept');
  }

  return async function sweep(signal) {
    for (const job of jobs) {
      if (signal.aborted) return;

      await runJob(job, signal).catch((error: unknown) => log.error({ err: error, job: job.name }, 'sweeping failed'));
    }
  };
}
