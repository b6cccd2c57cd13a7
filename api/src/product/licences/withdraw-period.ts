import type { Db, PeriodRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { revokePeriod } from './revoke-period.ts';
import { transact } from './transact.ts';

/**
 * Takes back one period of a licence, by an operator.
 * @returns the period, and whether it was this call that took it back; undefined when there is no such period
 */
export function withdrawPeriod(
  { db }: { db: Db },
  id: string,
  reason: string,
  { by, at }: Act,
): Promise<{ period: PeriodRow; isWithdrawn: boolean } | undefined> {
  return transact(db, async (tx) => {
    const period = await tx.licences.findPeriod(id);
    return period && { period, isWithdrawn: await revokePeriod(tx, period, { reason, at, by }) };
  });
}
