import type { Db } from '#api/foundation/db/schema.ts';
import type { AuditEntry } from './audit-entry.ts';
import { canonicalJson } from './audit-hash.ts';

/**
 * Writes events for the audit, in the transaction of the change: all is committed, or nothing. No transaction waits for
 * another one here; `sealAudit` puts the events into the chain later. Only `transact` calls this function.
 */
export async function recordEvents(trx: Db, events: readonly AuditEntry[]): Promise<void> {
  if (events.length === 0) return;

  await trx
    .insertInto('auditUnsealed')
    .values(
      events.map(({ at, kind, code, subject, detail = {} }) => ({
        at,
        kind,
        code,
        subject,
        detail: canonicalJson(detail),
      })),
    )
    .execute();
}
