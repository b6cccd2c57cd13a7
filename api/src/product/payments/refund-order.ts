import type { Db, OrderRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { createOrdersRepository } from './orders.repository.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { transact } from './transact.ts';

interface Refunding {
  db: Db;
  provider: Pick<PaymentProvider, 'refund'>;
}

export type RefundResult =
  | { kind: 'unknown' }
  /** Nothing was paid, or it was given back already. */
  | { kind: 'unpaid'; order: OrderRow }
  | { kind: 'asked'; order: OrderRow };

/**
 * Asks the provider to give the payment of an order back. The provider's message that it has done so ends the period.
 * @throws ProviderError when the provider does not answer, or refuses; the same call can be made again
 */
export async function refundOrder(
  { db, provider }: Refunding,
  id: string,
  reason: string,
  { by, at }: Act,
): Promise<RefundResult> {
  const order = await createOrdersRepository(db).find(id);
  if (!order) return { kind: 'unknown' };
  const { state, paymentRef, deviceId: subject } = order;
  if (state !== 'paid' || paymentRef === null) return { kind: 'unpaid', order };

  await provider.refund({ orderId: id, paymentRef });
  await transact(db, ({ record }) => {
    record({ at, kind: 'order', code: 'refund asked', subject, detail: { order: id, reason, by } });
    return Promise.resolve();
  });
  return { kind: 'asked', order };
}
