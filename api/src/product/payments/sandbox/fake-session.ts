import { createHmac, randomBytes } from 'node:crypto';
import { STRIPE_API_VERSION } from '#api/product/payments/stripe.ts';
import type texts from './sandbox.en.json';

/** How long a buyer can pay, in seconds: a day, as at Stripe. */
const SESSION_TTL_S = 24 * 60 * 60;

/** How old a signature is that is sent too late, in seconds: older than Stripe's tolerance of 300. */
const STALE_SIGNATURE_S = 301;
const TIMEOUT_MS = 10_000;

/** What can be done on the page of a session, and how events are delivered. */
export type Action = keyof typeof texts.actions;
export type Delivery = keyof typeof texts.deliveries;

export interface Buyer {
  email: string;
  name: string | null;
  country: string;
}

export interface FakeEvent {
  type: string;
  body: string;
  /** What our server has answered, one status after the other; 0 where it did not answer. */
  answers: number[];
}

export interface FakeSession {
  id: string;
  amountCents: number;
  currency: string;
  description: string;
  orderId: string | null;
  successUrl: string;
  cancelUrl: string | null;
  createdAtS: number;
  expiresAtS: number;
  status: 'open' | 'complete' | 'expired';
  buyer: Buyer | null;
  payment: { id: string; charge: string; state: PaymentState } | null;
  events: FakeEvent[];
}

type PaymentState = Exclude<keyof typeof texts.states, 'expired'>;

export function createFakeSession(
  params: Pick<FakeSession, 'amountCents' | 'currency' | 'description' | 'orderId' | 'successUrl' | 'cancelUrl'>,
  at: number,
): FakeSession {
  const createdAtS = Math.floor(at / 1000);
  const times = { createdAtS, expiresAtS: createdAtS + SESSION_TTL_S };
  return { ...params, ...times, id: makeId('cs_test'), status: 'open', buyer: null, payment: null, events: [] };
}

export function findActions({ status, payment, expiresAtS }: FakeSession, at: number): Action[] {
  if (status === 'open')
    return at < expiresAtS * 1000 ? ['pay', 'later', 'decline', 'cancel', 'expire'] : ['cancel', 'expire'];
  if (payment?.state === 'processing') return ['confirm', 'refuse'];
  if (payment?.state === 'disputed') return ['win'];
  if (payment?.state === 'inquired') return ['refund', 'dispute'];
  return payment?.state === 'succeeded' ? ['refund', 'inquire', 'dispute'] : [];
}

/** Does something with a session; what cannot be done now does nothing. Returns the events, in their order. */
export function performAction(session: FakeSession, action: Action, buyer: Buyer, at: number): FakeEvent[] {
  if (!findActions(session, at).includes(action)) return [];

  const told = applyAction(session, action, buyer);
  if (!told) return [];

  const [type, object] = told;
  // As Stripe wraps what has changed.
  const event = {
    id: makeId('evt'),
    object: 'event',
    api_version: STRIPE_API_VERSION,
    created: Math.floor(at / 1000),
    data: { object },
    livemode: false,
    type,
  };
  session.events.push({ type, body: JSON.stringify(event, null, 2), answers: [] });
  return session.events.slice(-1);
}

/** Changes a session. Returns the type of the event that tells of it, and what the event shows. */
function applyAction(session: FakeSession, action: Action, buyer: Buyer): [type: string, object: unknown] | undefined {
  const settle = (state: PaymentState) => {
    session.payment = { ...(session.payment ?? { id: makeId('pi'), charge: makeId('ch') }), state };
  };

  switch (action) {
    case 'pay':
    case 'later':
      session.status = 'complete';
      session.buyer = buyer;
      settle(action === 'pay' ? 'succeeded' : 'processing');
      return ['checkout.session.completed', describeSession(session)];
    case 'confirm':
      settle('succeeded');
      return ['checkout.session.async_payment_succeeded', describeSession(session)];
    case 'refuse':
      settle('failed');
      return ['checkout.session.async_payment_failed', describeSession(session)];
    case 'expire':
      session.status = 'expired';
      return ['checkout.session.expired', describeSession(session)];
    case 'refund':
      settle('refunded');
      return ['charge.refunded', describePayment(session, 'charge', { refunded: true })];
    case 'inquire':
      settle('inquired');
      return ['charge.dispute.created', describePayment(session, 'dispute', { status: 'warning_needs_response' })];
    case 'dispute': {
      const type = session.payment?.state === 'inquired' ? 'charge.dispute.updated' : 'charge.dispute.created';
      settle('disputed');
      return [type, describePayment(session, 'dispute', { status: 'needs_response' })];
    }
    case 'win':
      settle('won');
      return ['charge.dispute.closed', describePayment(session, 'dispute', { status: 'won' })];
    case 'decline':
    case 'cancel':
      return undefined;
  }
}

/** Shows a session as Stripe's API does, with the members of `docs/stripe-calls.md` and what people look for. */
export function describeSession(session: FakeSession, pageOrigin?: string) {
  const { id, status, buyer, payment, amountCents } = session;
  const isPaid = payment !== null && !['processing', 'failed'].includes(payment.state);

  return {
    id,
    object: 'checkout.session',
    amount_total: amountCents,
    client_reference_id: session.orderId,
    created: session.createdAtS,
    currency: session.currency,
    customer_details: buyer && { address: { country: buyer.country }, email: buyer.email, name: buyer.name },
    expires_at: session.expiresAtS,
    livemode: false,
    mode: 'payment',
    payment_intent: payment?.id ?? null,
    payment_status: isPaid ? 'paid' : 'unpaid',
    status,
    success_url: session.successUrl,
    // Once it is settled, a session has no page any more.
    url: status === 'open' && pageOrigin !== undefined ? `${pageOrigin}/dev/pay/${id}` : null,
  };
}

function describePayment({ payment, amountCents, currency }: FakeSession, object: string, state: object) {
  const { id, charge } = payment ?? {};
  return { id: charge, object, amount: amountCents, charge, currency, livemode: false, payment_intent: id, ...state };
}

/** An id as Stripe makes them: what it names, then a random part. */
export function makeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/**
 * Signs a body as Stripe does: the header `Stripe-Signature`.
 * Source: https://docs.stripe.com/webhooks#verify-manually
 */
export function signBody(body: string, secret: string, at: number): string {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

interface DeliverDeps {
  webhookUrl: () => string;
  webhookSecret: string;
  now: () => number;
  lateMs: number;
}

/** Makes the function that sends events to our webhook. It ends when all are answered, except the late ones. */
export function createDeliver({ webhookUrl, webhookSecret, now, lateMs }: DeliverDeps) {
  async function sendAll(events: readonly FakeEvent[], how: Delivery): Promise<void> {
    const secret = how === 'bad_signature' ? `${webhookSecret}x` : webhookSecret;
    for (const { body, answers } of events) {
      const signedAt = how === 'too_old' ? now() - STALE_SIGNATURE_S * 1000 : now();
      const answer = await fetch(webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signBody(body, secret, signedAt),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => undefined);
      await answer?.body?.cancel();
      answers.push(answer?.status ?? 0);
    }
  }

  return async function deliver(events: readonly FakeEvent[], how: Delivery): Promise<void> {
    if (how === 'never') return;
    if (how === 'late') return void setTimeout(() => void sendAll(events, 'once'), lateMs).unref();

    await sendAll(how === 'out_of_order' ? events.toReversed() : events, how);
    if (how === 'twice') await sendAll(events, how);
  };
}
