import { PLANS } from '@app/contracts/plans';
import type { PlanId } from '@app/contracts/active-plan';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import { beginPayment, createOrderCipher, type Checkout } from '#api/product/payments/checkout.ts';
import type { PaymentEvent, PaymentProvider } from '#api/product/payments/stripe.ts';
import { receivePaymentEvent } from '#api/product/payments/receive-payment-event.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { issueCodes } from '#api/product/codes/codes.ts';
import { redeemCode } from '#api/product/codes/redeem-code.ts';
import { changeResellers, type ListedReseller } from '#api/product/resellers/change-resellers.ts';
import type { SeededVisitor } from './seeded-visitor.ts';

const BUYER = { email: 'buyer@example.com', name: 'Ada', countryCode: 'DE' };

interface Purchase {
  planId: PlanId;
  /** How long ago it was bought, in milliseconds. */
  agoMs: number;
  /** What the provider has reported since. */
  reported: 'nothing' | 'paid' | 'refunded';
}

/** Buys a plan from a provider that is not asked. Returns the address of the page after the payment. */
export async function buyPlan(visitor: SeededVisitor, { planId, agoMs, reported }: Purchase): Promise<string> {
  const plan = PLANS.find(({ id }) => id === planId) ?? PLANS[0];
  const checkout = createPastCheckout(visitor, agoMs);
  const begun = await beginPayment(checkout, { claim: visitor.claim, plan, date: undefined });
  if (begun.kind !== 'pay') throw new Error(`The visitor was not sent to a payment: ${begun.kind}.`);

  const orderId = new URL(begun.url).pathname.slice(1);
  const named = { id: randomId(), type: 'seeded', paymentRef: `seeded-${orderId}` };
  const price = { amountCents: plan.priceCents, currency: 'eur' };
  const paid: PaymentEvent = { ...named, kind: 'paid', orderId, ...price, ...BUYER };
  const refunded: PaymentEvent = { ...named, id: randomId(), kind: 'reversed', reason: 'refund' };
  const messages = { nothing: [], paid: [paid], refunded: [paid, refunded] }[reported];
  for (const message of messages) await receivePaymentEvent(checkout, message);

  return `/success-${plan.id}?ref=${orderId}`;
}

function createPastCheckout({ db, pepper, baseUrl, now }: SeededVisitor, agoMs: number): Checkout {
  const pseudonyms = createPseudonyms(pepper);
  const provider: PaymentProvider = {
    id: 'stripe',
    createSession: ({ orderId }) =>
      Promise.resolve({ ref: `seeded-${orderId}`, url: `https://pay.example/${orderId}`, expiresAt: now() }),
    readEvent: () => Promise.reject(new Error('A seeded payment has no messages.')),
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

/** The page does not show it. */
const SELLER: ListedReseller = {
  id: 'seeded-shop',
  name: 'Seeded Shop',
  logo: 'letter',
  description: 'Sells the codes of seeded devices.',
  discord: 'https://chat.seeded-shop.example/',
  buyLink: 'https://seeded-shop.example/',
  isArceusX: false,
  trusted: null,
  isHidden: true,
};

/** Redeems a code of a hidden reseller for a seeded visitor. */
export async function redeemNewCode(
  { db, pepper, baseUrl, claim }: SeededVisitor,
  planId: PlanId,
  act: Act,
): Promise<void> {
  const pseudonyms = createPseudonyms(pepper);
  await changeResellers({ db }, (list) => [...list.filter(({ id }) => id !== SELLER.id), SELLER], act);
  const issued = await issueCodes({ db, pseudonyms }, { resellerId: SELLER.id, planId, count: 1 }, act);

  const emails = createEmailCipher(pepper, pseudonyms);
  const redeeming = { db, pseudonyms, emails, mailQueue: createMailQueue(pepper), baseUrl: () => baseUrl };
  const [code = ''] = issued?.codes ?? [];
  await redeemCode(redeeming, { code, email: BUYER.email, hwid: claim.hwid, at: act.at });
}
