import { PLANS } from '@app/contracts/plans';
import type { PlanId } from '@app/contracts/active-plan';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import { beginPayment } from '#api/product/payments/begin-payment.ts';
import { createOrderCipher } from '#api/product/payments/order-cipher.ts';
import type { PaymentEvent, PaymentProvider } from '#api/product/payments/payment-provider.ts';
import { receivePaymentEvent } from '#api/product/payments/receive-payment-event.ts';
import type { Till } from '#api/product/payments/till.ts';
import type { Stage } from './stage.ts';

const BUYER = { email: 'buyer@example.com', name: 'Ada', countryCode: 'DE' };

interface Purchase {
  planId: PlanId;
  /** How long ago it was bought, in milliseconds. */
  agoMs: number;
  /** What the provider has told since. */
  told: 'nothing' | 'paid' | 'refunded';
}

/**
 * Buys a plan for the device of a stage, from a provider that is not asked.
 * @returns the address of the page after the payment
 */
export async function buyPlan(stage: Stage, { planId, agoMs, told }: Purchase): Promise<string> {
  const plan = PLANS.find(({ id }) => id === planId) ?? PLANS[0];
  const till = createPastTill(stage, agoMs);
  const begun = await beginPayment(till, { claim: stage.visitor, plan, date: undefined });
  if (begun.kind !== 'pay') throw new Error(`Nobody was led to a payment: ${begun.kind}.`);

  const orderId = new URL(begun.url).pathname.slice(1);
  const paymentRef = `seeded-${orderId}`;
  const paid: PaymentEvent = {
    id: randomId(),
    type: 'checkout.session.completed',
    kind: 'paid',
    orderId,
    paymentRef,
    amountCents: plan.priceCents,
    currency: 'eur',
    ...BUYER,
  };
  const refunded: PaymentEvent = {
    id: randomId(),
    type: 'charge.refunded',
    kind: 'reversed',
    paymentRef,
    reason: 'refund',
  };
  const messages = { nothing: [], paid: [paid], refunded: [paid, refunded] }[told];
  for (const message of messages) await receivePaymentEvent(till, message);

  return `/success-${plan.id}?ref=${orderId}`;
}

function createPastTill({ db, pepper, baseUrl, now }: Stage, agoMs: number): Till {
  const pseudonyms = createPseudonyms(pepper);
  const provider: PaymentProvider = {
    id: 'stripe',
    createSession: ({ orderId }) =>
      Promise.resolve({ ref: `seeded-${orderId}`, url: `https://pay.example/${orderId}`, expiresAt: now() }),
    readEvent: () => Promise.reject(new Error('Nobody sends messages to a seeded till.')),
    refund: () => Promise.resolve(),
  };

  return {
    db,
    provider,
    pseudonyms,
    emails: createEmailCipher(pepper, pseudonyms),
    mailQueue: createMailQueue(pepper),
    orderCipher: createOrderCipher(pepper),
    baseUrl: () => baseUrl,
    log: { error: () => undefined, warn: () => undefined },
    now: () => now() - agoMs,
  };
}
