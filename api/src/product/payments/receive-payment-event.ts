import { PLANS } from '@app/contracts/plans';
import { transact, type Transaction } from '#api/foundation/audit/transact.ts';
import { grantPeriod, restorePeriod, revokePeriod } from '#api/product/licences/licence-periods.ts';
import { buildReceipt } from '#api/product/mail/mails.ts';
import type { Db, OrderRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { BEFORE_RESTORED, createOrdersRepository, createWebhookEventsRepository } from './orders.repository.ts';
import type { PaymentEvent, PaymentProvider } from './payment-provider.ts';
import type { Checkout } from './checkout.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';

const NEEDS = {
  devices: createDevicesRepository,
  keys: createKeysRepository,
  licences: createLicencesRepository,
  mails: createMailsRepository,
  orders: createOrdersRepository,
  webhookEvents: createWebhookEventsRepository,
};

type Tx = Transaction<typeof NEEDS>;
type Paid = Extract<PaymentEvent, { kind: 'paid' }>;
type Restored = Extract<PaymentEvent, { kind: 'restored' }>;
type Reversed = Extract<PaymentEvent, { kind: 'reversed' }>;

/** `unfit`: the message should have changed an order and could not; an operator has to look. */
export type Received = { kind: 'handled' | 'repeated' } | { kind: 'unfit'; why: string };

/**
 * Handles a message of the payment provider, once. A message may come twice, late, and before one that it follows from:
 * a refund that is told before its payment is remembered until the payment is.
 */
export function receivePaymentEvent(checkout: Checkout, event: PaymentEvent): Promise<Received> {
  const at = checkout.now();
  const provider = checkout.provider?.id ?? 'stripe';

  return transact(checkout.db, NEEDS, async (tx): Promise<Received> => {
    const { id: eventId, type } = event;
    const isNew = await tx.webhookEvents.insert({ provider, eventId, type, receivedAt: at, processedAt: at });
    if (!isNew) return { kind: 'repeated' };

    const why = await apply(checkout, tx, event, at);
    if (why === undefined) return { kind: 'handled' };

    await tx.webhookEvents.noteError(provider, eventId, why);
    tx.record({ at, kind: 'order', code: 'unfit', subject: null, detail: { event: eventId, why } });
    return { kind: 'unfit', why };
  });
}

/** @returns why the message could not be applied; undefined when it was */
async function apply(checkout: Checkout, tx: Tx, event: PaymentEvent, at: number): Promise<string | undefined> {
  switch (event.kind) {
    case 'paid':
      return settle(checkout, tx, event, at);
    case 'reversed':
      return reverse(tx, event, at);
    case 'restored':
      return restore(tx, event, at);
    case 'failed':
    case 'expired':
      await tx.orders.move(event.orderId, event.kind);
      return undefined;
    case 'pending':
    case 'other':
      return undefined;
  }
}

/** Grants what an order has paid for, unless the money has gone back already. */
async function settle(checkout: Checkout, tx: Tx, event: Paid, at: number): Promise<string | undefined> {
  const { orderId, paymentRef, countryCode, email, name } = event;
  const order = await tx.orders.find(orderId);
  if (!order) return 'unknown order';
  if (order.amountCents !== event.amountCents || order.currency !== event.currency) return 'other amount or currency';
  const plan = PLANS.find(({ mode }) => mode === order.mode);
  if (!plan) return 'unknown plan';

  const payment = paymentRef === null ? undefined : await tx.orders.notePayment(paymentRef, at);
  const isMoved = await tx.orders.move(orderId, 'paid', {
    paidAt: at,
    paymentRef,
    countryCode,
    // A paid order leads back to the plans no more.
    sealedClaim: null,
    sealedBuyer: checkout.orderCipher.sealBuyer(orderId, { email, name }),
  });
  if (!isMoved) {
    const isAnother = paymentRef !== order.paymentRef && !payment?.isReversed;
    return isAnother ? `paid a second time, with ${paymentRef ?? 'a payment without a name'}` : undefined;
  }

  tx.record({ at, kind: 'order', code: 'paid', subject: order.deviceId, detail: { order: orderId } });
  if (payment?.isReversed) {
    await tx.orders.move(orderId, 'refunded', { refundedAt: at });
    return undefined;
  }
  const { plan: active } = await grantPeriod(tx, checkout.emails, {
    email,
    hwidHmac: order.hwidHmac,
    planId: plan.id,
    paidWith: { orderId, codeId: null },
    at,
  });
  if (email !== null) {
    const { amountCents } = order;
    const receipt = { planId: plan.id, amountCents, until: active.until, orderRef: orderId };
    const reader = { to: email, country: countryCode };
    await checkout.mailQueue.add(tx, buildReceipt({ ...receipt, reader, baseUrl: checkout.baseUrl() }), at);
  }
  return undefined;
}

/** Takes back what a payment has bought. */
async function reverse(tx: Tx, { paymentRef, reason }: Reversed, at: number): Promise<string | undefined> {
  if (!(await tx.orders.noteReversal(paymentRef, reason, at))) return undefined;
  const order = await tx.orders.findByPayment(paymentRef);
  if (!order || !(await tx.orders.move(order.id, 'refunded', { refundedAt: at }))) return undefined;

  tx.record({ at, kind: 'order', code: reason, subject: order.deviceId, detail: { order: order.id } });
  const period = await tx.licences.findPeriodOfOrder(order.id);
  if (period) await revokePeriod(tx, period, { reason, at });
  return undefined;
}

/** Gives back what a dispute has taken, once it is won. */
async function restore(tx: Tx, { paymentRef }: Restored, at: number): Promise<string | undefined> {
  if (!(await tx.orders.noteReversal(paymentRef, 'won', at))) return undefined;
  const order = await tx.orders.findByPayment(paymentRef);
  if (!order || !(await tx.orders.move(order.id, 'paid', { refundedAt: null }, BEFORE_RESTORED))) return undefined;

  tx.record({ at, kind: 'order', code: 'dispute won', subject: order.deviceId, detail: { order: order.id } });
  const period = await tx.licences.findPeriodOfOrder(order.id);
  const isBack = period !== undefined && (await restorePeriod(tx, period, at));
  return isBack ? undefined : 'dispute won, and no period of the order ended by it';
}

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
  await transact(db, {}, ({ record }) => {
    record({ at, kind: 'order', code: 'refund asked', subject, detail: { order: id, reason, by } });
    return Promise.resolve();
  });
  return { kind: 'asked', order };
}
