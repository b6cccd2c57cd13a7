import type { InferOutput } from 'valibot';
import type { orderConsentSchema } from '@app/contracts/till-requests';
import type { Till } from './till.ts';
import { transact } from './transact.ts';

/**
 * Stores what the buyer of a paid order agrees to.
 * @returns false when there is no such order, or it is not paid
 */
export function saveConsent(
  { db, now }: Till,
  { ref, showsName, wantsReminder }: InferOutput<typeof orderConsentSchema>,
): Promise<boolean> {
  return transact(db, async (tx) => {
    const order = await tx.orders.find(ref);
    const period = await tx.licences.findPeriodOfOrder(ref);
    if (order?.state !== 'paid' || !period) return false;

    await tx.orders.setShowsName(ref, showsName);
    await tx.licences.setReminder(period.licenceId, wantsReminder);
    tx.record({
      at: now(),
      kind: 'order',
      code: 'consent',
      subject: order.deviceId,
      detail: { order: ref, showsName, wantsReminder },
    });
    return true;
  });
}
