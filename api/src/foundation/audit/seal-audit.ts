import type { AuditEventRow, AuditUnsealedRow, Db } from '#api/foundation/db/schema.ts';
import { auditSealings } from '#api/foundation/telemetry/metrics.ts';
import { canonicalJson, hashEvent, parseDetail, shortenHash } from './audit-entry.ts';
import { createAuditRepository } from './audit.repository.ts';
import { createSealingRepository } from './sealing.repository.ts';

const BATCH_SIZE = 500;

/**
 * Seals committed events: moves them to the end of the chain, the oldest first, as the sequencer of a transparency log
 * does. It locks the head of the chain, so one server seals at a time and numbers have no gaps. Transactions that
 * record events do not wait for that lock.
 * @returns how many were sealed
 */
export async function sealAudit(db: Db, limit = BATCH_SIZE): Promise<number> {
  if (!(await createAuditRepository(db).hasUnsealed())) return 0;

  return db.transaction().execute(async (trx) => {
    const sealing = createSealingRepository(trx);
    let last = await sealing.lockHead();
    const rows = (await sealing.takeUnsealed(limit)).map((event) => (last = chainEvents(event, last)));
    await sealing.extendChain(rows);
    return rows.length;
  });
}

/** Seals every event that is committed by now, and counts that it did. */
export async function sealAll(db: Db): Promise<void> {
  while ((await sealAudit(db)) === BATCH_SIZE);
  auditSealings.inc();
}

/**
 * Binds an event to the row before it. A detail that is not canonical JSON is sealed as plain text: refusing it would keep
 * all later events out of the chain.
 */
function chainEvents(
  { at, kind, code, subject, detail: text }: AuditUnsealedRow,
  last: Pick<AuditEventRow, 'seq' | 'hash'>,
): AuditEventRow {
  const detail = parseDetail(text) ?? { unreadable: text };
  const seq = last.seq + 1;
  const hash = hashEvent(last.hash, { seq, at, kind, code, subject, detail });
  return { seq, at, kind, code, subject, detail: canonicalJson(detail), prevHash: shortenHash(last.hash), hash };
}
