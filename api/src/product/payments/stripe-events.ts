import type Stripe from 'stripe';
import type { PaymentEvent } from './payment-provider.ts';

/** Says in our words what an event of Stripe means for an order. `docs/stripe-calls.md` lists the events. */
export function translateEvent(event: Stripe.Event): PaymentEvent {
  return { id: event.id, type: event.type, ...readMeaning(event) };
}

/** The members of each kind of event, without those that all events have. */
type Meaning = PaymentEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'id' | 'type'> : never) : never;

const OTHER: Meaning = { kind: 'other' };

function readMeaning(event: Stripe.Event): Meaning {
  if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded')
    return ofOurs(event.data.object, readCompletion);
  if (event.type === 'checkout.session.async_payment_failed')
    return ofOurs(event.data.object, (_session, orderId) => ({ kind: 'failed', orderId }));
  if (event.type === 'checkout.session.expired')
    return ofOurs(event.data.object, (_session, orderId) => ({ kind: 'expired', orderId }));
  // A refund of a part, which only Stripe's dashboard can make, leaves the plan as it is.
  if (event.type === 'charge.refunded' && event.data.object.refunded) return readReversal(event.data.object, 'refund');
  if (
    event.type === 'charge.dispute.created' ||
    event.type === 'charge.dispute.updated' ||
    event.type === 'charge.dispute.closed'
  )
    return readDispute(event.data.object);
  return OTHER;
}

/** The account may have other sessions, such as those of payment links. They name no order. */
function ofOurs(
  session: Stripe.Checkout.Session,
  read: (session: Stripe.Checkout.Session, orderId: string) => Meaning,
): Meaning {
  return session.client_reference_id ? read(session, session.client_reference_id) : OTHER;
}

function readCompletion(session: Stripe.Checkout.Session, orderId: string): Meaning {
  if (session.payment_status === 'unpaid') return { kind: 'pending', orderId };

  const { email = null, name = null, address } = session.customer_details ?? {};
  return {
    kind: 'paid',
    orderId,
    paymentRef: idOf(session.payment_intent),
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    email,
    name,
    countryCode: address?.country ?? null,
  };
}

/** An inquiry of a bank takes no money. A dispute that the buyer withdraws is won as well. */
function readDispute(dispute: Stripe.Dispute): Meaning {
  if (dispute.status.startsWith('warning_')) return OTHER;
  if (dispute.status !== 'won') return readReversal(dispute, 'dispute');

  const paymentRef = idOf(dispute.payment_intent);
  return paymentRef === null ? OTHER : { kind: 'restored', paymentRef };
}

function readReversal(
  { payment_intent: payment }: { payment_intent?: string | { id: string } | null },
  reason: 'refund' | 'dispute',
): Meaning {
  const paymentRef = idOf(payment ?? null);
  return paymentRef === null ? OTHER : { kind: 'reversed', paymentRef, reason };
}

/** Stripe names another object by its id, or shows it whole. */
function idOf(object: string | { id: string } | null): string | null {
  return typeof object === 'object' ? (object?.id ?? null) : object;
}
