import type { CodeRow, Db } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { WhichCodes } from './codes.repository.ts';
import { transact } from './transact.ts';

/**
 * Revokes codes that nobody has redeemed. What was bought with a redeemed code stays.
 * @returns the codes that this call revoked
 */
export function revokeCodes(
  { db }: { db: Db },
  which: WhichCodes,
  reason: string,
  { by, at }: Act,
): Promise<CodeRow[]> {
  return transact(db, async (tx) => {
    const revoked = await tx.codes.revoke(which, at);
    const batches = new Set(revoked.map(({ batchId }) => batchId));
    for (const batch of batches) {
      const count = revoked.filter(({ batchId }) => batchId === batch).length;
      tx.record({ at, kind: 'licence', code: 'codes revoked', subject: null, detail: { batch, count, reason, by } });
    }
    return revoked;
  });
}
