import type { AuditEventRow, AuditHeadRow, AuditUnsealedRow, Db } from '#api/foundation/db/schema.ts';
import { GENESIS_HASH } from './audit-entry.ts';

/** Moves events into the chain, in one transaction. Only `sealAudit` uses it. */
export function createSealingRepository(trx: Db) {
  return {
    /** Locks the head of the chain until the end of the transaction. */
    lockHead(): Promise<Pick<AuditHeadRow, 'seq' | 'hash'>> {
      return trx
        .insertInto('auditHead')
        .values({ id: 1, seq: 0, hash: GENESIS_HASH })
        .onConflict((conflict) => conflict.column('id').doUpdateSet((head) => ({ seq: head.ref('auditHead.seq') })))
        .returning(['seq', 'hash'])
        .executeTakeFirstOrThrow();
    },

    /** Takes the oldest unsealed events, at most `limit`; the oldest comes first. */
    async takeUnsealed(limit: number): Promise<AuditUnsealedRow[]> {
      const oldest = trx.selectFrom('auditUnsealed').select('id').orderBy('id').limit(limit);
      const taken = await trx.deleteFrom('auditUnsealed').where('id', 'in', oldest).returningAll().execute();
      return taken.sort((a, b) => a.id - b.id);
    },

    /** Adds rows to the chain, and makes the last one its head. */
    async extendChain(rows: readonly AuditEventRow[]): Promise<void> {
      const last = rows.at(-1);
      if (!last) return;

      await trx.insertInto('auditEvent').values(rows).execute();
      await trx.updateTable('auditHead').set({ seq: last.seq, hash: last.hash }).where('id', '=', 1).execute();
    },
  };
}
