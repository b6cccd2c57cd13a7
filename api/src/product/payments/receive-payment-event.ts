import { PLANS } from '@app/contracts/plans';
import { transact, type Transaction } from '#api/foundation/audit/transact.ts';
import { grantPeriod, restorePeriod, revokePeriod } from '#api/product/licences/licence-periods.ts';
import { buildReceipt } from '#api/product/mail/mails.ts';
import type { Db, OrderRow } from '#api/foundation/db/schema.ts';
import type { ReverseReason } from '#api/foundation/db/tables/checkout.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import {
  createOrdersRepository,
  createWebhookEventsRepository,
  type OrderChanges,
  type OrderOfDevice,
} from './orders.repository.ts';
import type { PaymentEvent, PaymentProvider } from './stripe.ts';
import type { Checkout } from './checkout.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { createMailsRepository } from '#api/product/mail/mails.repository.ts';

const REPOSITORIES = {
  devices: createDevicesRepository,
  keys: createKeysRepository,
  licences: createLicencesRepository,
  mails: createMailsRepository,
  orders: createOrdersRepository,
  webhookEvents: createWebhookEventsRepository,
};

type Tx = Transaction<typeof REPOSITORIES>;
type PaidEvent = Extract<PaymentEvent, { kind: 'paid' }>;

/** `unfit`: the message should have changed an order and could not; an operator has to look. */
export type ReceiveResult = { kind: 'handled' | 'repeated' } | { kind: 'unfit'; why: string };

/**
 * Handles a message of the payment provider, once. A message may come twice, late, and before one that it follows from:
 * what it says of a payment is noted, and then its order follows from all that was noted.
 */
export function receivePaymentEvent(checkout: Checkout, event: PaymentEvent): Promise<ReceiveResult> {
  const at = checkout.now();
  const provider = checkout.provider?.id ?? 'stripe';

  return transact(checkout.db, REPOSITORIES, async (tx): Promise<ReceiveResult> => {
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
      return recordPayment(checkout, tx, event, at);
    case 'reversed':
      return recordReversal(checkout, tx, event.paymentRef, event.reason, at);
    case 'restored':
      return recordReversal(checkout, tx, event.paymentRef, 'won', at);
    case 'failed':
    case 'expired':
      await tx.orders.move(event.orderId, event.kind);
      return undefined;
    case 'pending':
    case 'other':
      return undefined;
  }
}

async function recordPayment(checkout: Checkout, tx: Tx, event: PaidEvent, at: number): Promise<string | undefined> {
  const { orderId, paymentRef, countryCode, email, name } = event;
  const order = await tx.orders.find(orderId);
  if (!order) return 'unknown order';
  if (order.amountCents !== event.amountCents || order.currency !== event.currency) return 'other amount or currency';

  await tx.orders.notePayment(paymentRef, orderId, at);
  const sealedBuyer = checkout.orderCipher.sealBuyer(orderId, { email, name });
  // A paid order leads back to the plans no more.
  const told = { paidAt: at, paymentRef, countryCode, sealedClaim: null, sealedBuyer };
  return reconcile(checkout, tx, { orderId, paymentRef, at, told });
}

async function recordReversal(
  checkout: Checkout,
  tx: Tx,
  paymentRef: string,
  reason: ReverseReason,
  at: number,
): Promise<string | undefined> {
  if (!(await tx.orders.noteReversal(paymentRef, reason, at))) return undefined;
  const order = await tx.orders.findByPayment(paymentRef);
  return order && reconcile(checkout, tx, { orderId: order.id, paymentRef, at });
}

interface StateChange {
  orderId: string;
  /** The payment that a message was about. */
  paymentRef: string;
  at: number;
  /** What the message of a payment says of its buyer. */
  told?: OrderChanges;
}

/**
 * Makes an order, and the period that it pays for, what its payments say together, in whichever order they were told: it
 * is paid while one of them is not given back.
 */
async function reconcile(
  checkout: Checkout,
  tx: Tx,
  { orderId, paymentRef, at, told }: StateChange,
): Promise<string | undefined> {
  const payments = await tx.orders.lockPayments(orderId);
  const allHeld = payments.filter(({ reversedAt }) => reversedAt === null);
  const [held] = allHeld;
  const refundedAt = held ? null : at;
  const isMoved = await tx.orders.move(orderId, held ? 'paid' : 'refunded', { ...told, refundedAt });
  // The payment that an operator would give back.
  if (held) await tx.orders.move(orderId, 'paid', { paymentRef: held.ref }, ['paid']);
  if (allHeld.length > 1 && allHeld.some(({ ref }) => ref === paymentRef))
    return `paid a second time, with ${paymentRef}`;
  const order = isMoved ? await tx.orders.find(orderId) : undefined;
  if (!order) return undefined;

  const record = (code: string) =>
    tx.record({ at, kind: 'order', code, subject: order.deviceId, detail: { order: orderId } });
  const period = await tx.licences.findPeriodOfOrder(orderId);
  if (told) record('paid');
  if (!held) {
    const reason = payments.find(({ ref }) => ref === paymentRef)?.reverseReason ?? 'refund';
    record(reason);
    if (period) await revokePeriod(tx, period, { reason, at });
    return undefined;
  }
  if (!told) record('dispute won');
  if (!period) return grant(checkout, tx, order, at);
  const isBack = await restorePeriod(tx, period, at);
  return isBack ? undefined : 'dispute won, and no period of the order ended by it';
}

async function grant(
  { emails, orderCipher, mailQueue, baseUrl }: Checkout,
  tx: Tx,
  order: OrderOfDevice,
  at: number,
): Promise<string | undefined> {
  const { id: orderId, amountCents, countryCode: country, hwidHmac } = order;
  const plan = PLANS.find(({ mode }) => mode === order.mode);
  if (!plan) return 'unknown plan';

  const { email } = orderCipher.openBuyer(order);
  const paidWith = { orderId, codeId: null };
  const { plan: active } = await grantPeriod(tx, emails, { email, hwidHmac, planId: plan.id, paidWith, at });
  if (email !== null) {
    const receipt = { planId: plan.id, amountCents, until: active.until, orderRef: orderId };
    await mailQueue.add(tx, buildReceipt({ ...receipt, reader: { to: email, country }, baseUrl: baseUrl() }), at);
  }
  return undefined;
}

interface RefundDeps {
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
  { db, provider }: RefundDeps,
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
