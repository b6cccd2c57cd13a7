import type { Recorder } from '#api/foundation/audit/transact.ts';
import type { PeriodRow } from '#api/foundation/db/schema.ts';
import { endOutlastingKeys } from './end-outlasting-keys.ts';
import { closeGap } from './licence-periods.ts';
import type { Repositories } from './transact.ts';

type Tx = Pick<Repositories, 'keys' | 'licences'> & Recorder;

/**
 * Takes a paid period back, and only that one: later periods move forward. No key of its devices works longer than what is
 * left of their periods. To be called within the transaction that records why.
 * @returns false when the period was revoked before
 */
export async function revokePeriod(
  tx: Tx,
  { id, licenceId, orderId, codeId }: PeriodRow,
  { reason, at, by }: { reason: string; at: number; by?: string },
): Promise<boolean> {
  await tx.licences.lock(licenceId);
  if (!(await tx.licences.revokePeriod(id, reason, at))) return false;

  for (const period of closeGap(await tx.licences.listPeriods(licenceId), at)) await tx.licences.movePeriod(period);

  await endOutlastingKeys(tx, await tx.licences.listHwids(licenceId), reason, at);
  tx.record({
    at,
    kind: 'licence',
    code: 'period revoked',
    subject: null,
    detail: { licence: licenceId, orderId, codeId, reason, ...(by !== undefined && { by }) },
  });
  return true;
}
