import { randomUUID } from 'node:crypto';
import { PLANS } from '@app/contracts/plans';
import type { Db } from '#api/foundation/db/schema.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import { beginPayment, createOrderCipher, type Checkout } from '#api/product/payments/checkout.ts';
import { createOrdersRepository } from '#api/product/payments/orders.repository.ts';
import type { PaymentEvent, PaymentProvider } from '#api/product/payments/stripe.ts';
import { T0 } from '#api/test/build-rows.ts';

const PEPPER = 'a pepper of the shop';

/** A checkout with a clock that the test moves, and a provider that opens a page for every order. */
export function buildCheckout(db: Db, changes: Partial<PaymentProvider> = {}) {
  const pseudonyms = createPseudonyms(PEPPER);
  const clock = { at: T0 };
  const provider: PaymentProvider = {
    id: 'stripe',
    createSession: ({ orderId }) =>
      Promise.resolve({
        ref: `cs_${orderId}`,
        url: `https://pay.example/${orderId}`,
        expiresAt: clock.at + 86_400_000,
      }),
    readEvent: () => Promise.reject(new Error('The test gives events itself.')),
    refund: () => Promise.resolve(),
    ...changes,
  };
  const checkout: Checkout = {
    db,
    provider,
    pseudonyms,
    emails: createEmailCipher(PEPPER, pseudonyms),
    mailQueue: createMailQueue(PEPPER),
    orderCipher: createOrderCipher(PEPPER),
    baseUrl: () => 'https://site.example',
    log: { error: () => undefined, warn: () => undefined },
    now: () => clock.at,
  };
  return { checkout, clock };
}

type PaidEvent = Extract<PaymentEvent, { kind: 'paid' }>;

/** The message of a provider that an order of this price was paid. */
export function buildPaid(orderId: string, changes: Partial<PaidEvent> = {}): PaidEvent {
  return {
    id: `evt_${randomUUID()}`,
    type: 'checkout.session.completed',
    kind: 'paid',
    orderId,
    paymentRef: `pi_${orderId}`,
    amountCents: 299,
    currency: 'eur',
    email: 'ada@example.com',
    name: 'Ada',
    countryCode: 'GB',
    ...changes,
  };
}

/** Begins a payment, and returns the id of its order. By default for Plus. */
export async function beginOrder(
  checkout: Checkout,
  hwid = 'device-1234',
  planId = 'plus',
  date?: string,
): Promise<string> {
  const plan = PLANS.find(({ id }) => id === planId) ?? PLANS[1];
  const begun = await beginPayment(checkout, { claim: { hwid, zone: 'zone-1' }, plan, date });
  if (begun.kind !== 'pay') throw new Error(`The payment was not begun: ${begun.kind}`);

  return new URL(begun.url).pathname.slice(1);
}

/** What the database holds of an order. */
export async function readOrderRow(checkout: Checkout, id: string) {
  const order = await createOrdersRepository(checkout.db).find(id);
  if (!order) throw new Error(`There is no order ${id}.`);

  return order;
}
