import { randomBytes } from 'node:crypto';
import { describeEvent, type FakeEvent } from './fake-event.ts';

/** How long a buyer can pay, in seconds: a day, as at Stripe. */
const LIFETIME_S = 24 * 60 * 60;

/** What a buyer says of themselves on the page. */
export interface Buyer {
  email: string;
  name: string | null;
  /** Two letters. */
  country: string;
}

/** What a checkout session is made of. */
export interface SessionParams {
  amountCents: number;
  currency: string;
  description: string;
  orderId: string | null;
  metadata: Record<string, string>;
  paymentMetadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string | null;
}

/** A checkout session, and the payment that it may lead to. */
export interface FakeSession extends SessionParams {
  id: string;
  createdAtS: number;
  expiresAtS: number;
  status: 'open' | 'complete' | 'expired';
  buyer: Buyer | null;
  payment: { id: string; charge: string; state: PaymentState } | null;
  events: FakeEvent[];
}

type PaymentState = 'processing' | 'succeeded' | 'failed' | 'refunded' | 'inquired' | 'disputed' | 'won';

/** What can be done on the page of a session, with the labels of the buttons. */
export const ACTIONS = {
  pay: 'Pay',
  later: 'Pay later',
  decline: 'Decline',
  cancel: 'Cancel',
  expire: 'Expire',
  confirm: 'Bank confirms',
  refuse: 'Bank refuses',
  refund: 'Refund',
  inquire: 'Bank inquires',
  dispute: 'Dispute',
  win: 'Dispute won',
} as const;
export type Action = keyof typeof ACTIONS;

/** Makes an unpaid session. */
export function createFakeSession(params: SessionParams, at: number): FakeSession {
  const createdAtS = Math.floor(at / 1000);

  return {
    ...params,
    id: makeId('cs_test'),
    createdAtS,
    expiresAtS: createdAtS + LIFETIME_S,
    status: 'open',
    buyer: null,
    payment: null,
    events: [],
  };
}

/** What can be done with a session at this time. */
export function findActions({ status, payment, expiresAtS }: FakeSession, at: number): Action[] {
  if (status === 'open')
    return at < expiresAtS * 1000 ? ['pay', 'later', 'decline', 'cancel', 'expire'] : ['cancel', 'expire'];
  if (payment?.state === 'processing') return ['confirm', 'refuse'];
  if (payment?.state === 'disputed') return ['win'];
  if (payment?.state === 'inquired') return ['refund', 'dispute'];
  return payment?.state === 'succeeded' ? ['refund', 'inquire', 'dispute'] : [];
}

/**
 * Does something with a session. What cannot be done with it now does nothing.
 * @returns the events that tell of it, in their order
 */
export function act(session: FakeSession, action: Action, buyer: Buyer, at: number): FakeEvent[] {
  if (!findActions(session, at).includes(action)) return [];

  const told = change(session, action, buyer);
  if (!told) return [];

  const event = describeEvent({ id: makeId('evt'), type: told.type, object: told.describe(session), at });
  session.events.push(event);
  return [event];
}

/** Changes a session. Returns which event tells of it, and what the event shows. */
function change(
  session: FakeSession,
  action: Action,
  buyer: Buyer,
): { type: string; describe: (session: FakeSession) => unknown } | undefined {
  const settle = (state: PaymentState) => {
    session.payment = { ...(session.payment ?? { id: makeId('pi'), charge: makeId('ch') }), state };
  };

  switch (action) {
    case 'pay':
    case 'later':
      session.status = 'complete';
      session.buyer = buyer;
      settle(action === 'pay' ? 'succeeded' : 'processing');
      return { type: 'checkout.session.completed', describe: describeSession };
    case 'confirm':
      settle('succeeded');
      return { type: 'checkout.session.async_payment_succeeded', describe: describeSession };
    case 'refuse':
      settle('failed');
      return { type: 'checkout.session.async_payment_failed', describe: describeSession };
    case 'expire':
      session.status = 'expired';
      return { type: 'checkout.session.expired', describe: describeSession };
    case 'refund':
      settle('refunded');
      return { type: 'charge.refunded', describe: describeCharge };
    case 'inquire':
      settle('inquired');
      return { type: 'charge.dispute.created', describe: describeDispute };
    case 'dispute': {
      const type = session.payment?.state === 'inquired' ? 'charge.dispute.updated' : 'charge.dispute.created';
      settle('disputed');
      return { type, describe: describeDispute };
    }
    case 'win':
      settle('won');
      return { type: 'charge.dispute.closed', describe: describeDispute };
    case 'decline':
    case 'cancel':
      return undefined;
  }
}

/** Shows a session as Stripe's API does, without the members that a payment in one currency leaves empty. */
export function describeSession(session: FakeSession, pageOrigin?: string) {
  const { buyer, payment } = session;
  const isPaid = payment !== null && !['processing', 'failed'].includes(payment.state);

  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    amount_subtotal: session.amountCents,
    amount_total: session.amountCents,
    cancel_url: session.cancelUrl,
    client_reference_id: session.orderId,
    created: session.createdAtS,
    currency: session.currency,
    customer: null,
    customer_details: buyer && {
      address: { city: null, country: buyer.country, line1: null, line2: null, postal_code: null, state: null },
      email: buyer.email,
      name: buyer.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    customer_email: null,
    expires_at: session.expiresAtS,
    livemode: false,
    metadata: session.metadata,
    mode: 'payment',
    payment_intent: payment?.id ?? null,
    payment_status: isPaid ? 'paid' : 'unpaid',
    status: session.status,
    success_url: session.successUrl,
    ui_mode: 'hosted',
    // Once it is settled, a session has no page any more.
    url: session.status === 'open' && pageOrigin !== undefined ? `${pageOrigin}/dev/pay/${session.id}` : null,
  };
}

function describeCharge({ payment, amountCents, currency, buyer, paymentMetadata, createdAtS }: FakeSession) {
  return {
    id: payment?.charge,
    object: 'charge',
    amount: amountCents,
    amount_captured: amountCents,
    amount_refunded: amountCents,
    billing_details: { email: buyer?.email ?? null, name: buyer?.name ?? null },
    created: createdAtS,
    currency,
    livemode: false,
    metadata: paymentMetadata,
    paid: true,
    payment_intent: payment?.id ?? null,
    refunded: true,
    status: 'succeeded',
  };
}

function describeDispute({ payment, amountCents, currency, createdAtS }: FakeSession) {
  return {
    id: makeId('du'),
    object: 'dispute',
    amount: amountCents,
    charge: payment?.charge,
    created: createdAtS,
    currency,
    livemode: false,
    metadata: {},
    payment_intent: payment?.id ?? null,
    reason: 'fraudulent',
    status: { inquired: 'warning_needs_response', disputed: 'needs_response', won: 'won' }[String(payment?.state)],
  };
}

/** An id as Stripe makes them: what it names, then a random part. */
export function makeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
