import type { Db } from '#api/db/schema.ts';
import type { AuditEntry } from './audit-entry.ts';
import { canonicalJson, GENESIS_HASH, hashEvent } from './audit-hash.ts';

/**
 * Writes an event into the audit, in the transaction of the change: both are committed, or neither. Numbers have no
 * gaps: writers lock the one row of `audit_head`, one after the other, and keep it until they commit. So this must be
 * the last lock of a transaction; two transactions could deadlock otherwise. `transact` sees to that, and nothing else
 * calls this function.
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
