import type { PeriodRow } from '#api/foundation/db/schema.ts';
import type { Recorder } from '#api/foundation/audit/transact.ts';
import { nextStart } from './licence-periods.ts';
import type { Repositories } from './transact.ts';

type Tx = Pick<Repositories, 'licences'> & Recorder;

/**
 * Gives back a period that a dispute has ended: what was left of it then, behind what the licence has now. To be called
 * within the transaction that records why.
 * @returns false when it was not a dispute that ended it
 */
export async function restorePeriod(
  tx: Tx,
  { id, licenceId, orderId, startsAt: start, endsAt: end, revokedAt, revokeReason }: PeriodRow,
  at: number,
): Promise<boolean> {
  if (revokedAt === null || revokeReason !== 'dispute') return false;

  await tx.licences.lock(licenceId);
  const startsAt = nextStart(await tx.licences.listPeriods(licenceId), at);
  const endsAt = startsAt + Math.max(0, end - Math.max(start, revokedAt));
  await tx.licences.restorePeriod({ id, startsAt, endsAt });
  tx.record({
    at,
    kind: 'licence',
    code: 'period restored',
    subject: null,
    detail: { licence: licenceId, orderId, until: endsAt },
  });
  return true;
}
