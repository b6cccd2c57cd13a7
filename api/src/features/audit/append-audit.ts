import type { Db } from '#api/db/schema.ts';
import { canonicalJson, GENESIS_HASH, hashEvent, type AuditDetail } from './audit-hash.ts';

/** What an event is about. */
export type AuditKind =
  'run' | 'attempt' | 'key' | 'strike' | 'device' | 'advertiser' | 'signing_key' | 'order' | 'licence';

/** Who did something, and when. */
export interface Act {
  by: string;
  at: number;
}

export interface AuditEntry {
  at: number;
  kind: AuditKind;
  /** What happened to it, as a past participle (`issued`), or the error's code (`KS_PROOF`). */
  code: string;
  /** The random id of the device it happened to: with the device's row goes the link to a person. */
  subject: string | null;
  /** Flat. Never a device id, a ticket, a key or an address, nor an HMAC of one. */
  detail?: AuditDetail;
}

/**
 * Writes a change into the audit, inside the transaction that makes the change, so that there is neither without the other.
 * Numbers have no gaps: writers take turns at the one row of `audit_head` and keep it until they commit.
 * So this must be the LAST lock of a transaction: nothing but another `appendAudit` may be written after it.
 * Whoever waits for the head then holds nothing that its owner could still need, and nobody deadlocks.
 */
export async function appendAudit(trx: Db, { at, kind, code, subject, detail = {} }: AuditEntry): Promise<void> {
  const { seq, hash: prevHash } = await trx
    .insertInto('auditHead')
    .values({ id: 1, seq: 1, hash: GENESIS_HASH })
    .onConflict((conflict) => conflict.column('id').doUpdateSet((head) => ({ seq: head('auditHead.seq', '+', 1) })))
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();

  const hash = hashEvent(prevHash, { seq, at, kind, code, subject, detail });
  await trx
    .insertInto('auditEvent')
    .values({ seq, at, kind, code, subject, detail: canonicalJson(detail), prevHash, hash })
    .execute();
  await trx.updateTable('auditHead').set({ hash }).where('id', '=', 1).execute();
}
