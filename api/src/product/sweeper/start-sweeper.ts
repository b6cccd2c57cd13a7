import type { Logger } from 'pino';
import type { Db } from '#api/foundation/db/schema.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import type { AuditTrust } from '#api/foundation/audit/audit-trust.ts';
import { createAuditService } from '#api/foundation/audit/audit.service.ts';
import type { Limits } from '#api/product/key-system/limits.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';
import { createExpiryRepository } from './expiry.repository.ts';
import { repeat, type Repetition } from '#api/foundation/jobs/background-job.ts';
import { createRetentionRepository } from './retention.repository.ts';
import { createSweeperService } from './sweeper.service.ts';

const PAUSE_MS = 60_000;

interface StartSweeperOptions {
  db: Db;
  limits: Limits;
  /** Credits at most `limit` attempts that were confirmed before they could count, and returns how many there were. */
  creditConfirmed: (limit: number) => Promise<number>;
  /** Queues at most `limit` reminders of plans that end, and returns how many there were. */
  remindOwners: (limit: number) => Promise<number>;
  /** Notes the mailboxes of at most `limit` licences of earlier releases, and returns how many there were. */
  fillMailboxes: (limit: number) => Promise<number>;
  /** Removes what publications left that were killed, and returns how many there were. */
  removeLeftovers: () => Promise<number>;
  signingKey: () => Signer;
  /** Stores the trusted keys and the anchors of the audit. */
  auditTrust: AuditTrust;
  log: Logger;
  now: () => number;
}

/** Sweeps now, and again a minute after each sweep. */
export function startSweeper({
  db,
  limits,
  creditConfirmed,
  remindOwners,
  fillMailboxes,
  removeLeftovers,
  signingKey,
  auditTrust,
  log,
  now,
}: StartSweeperOptions): Repetition {
  const sweeper = createSweeperService({
    db,
    expiry: createExpiryRepository(db),
    retention: createRetentionRepository(db),
    audit: createAuditService({
      audit: createAuditRepository(db),
      trust: auditTrust,
      signingKey,
      retentionDays: limits.retentionDays.audit,
      now,
    }),
    limits,
    creditConfirmed,
    remindOwners,
    fillMailboxes,
    removeLeftovers,
    now,
    note: (done) => log.info(done, 'swept'),
    warn: (job, error) => log.error({ err: error, job }, 'sweeping failed'),
  });

  return repeat((signal) => sweeper.sweep(signal), PAUSE_MS);
}
