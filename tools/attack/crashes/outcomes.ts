import type { Buyer, Event, FakeStripe, Session } from '../fakes/stripe.ts';

export interface Purchase {
  stripe: FakeStripe;
  session: Session;
  buyer: Buyer;
  /** Delivers an event until it is acknowledged. */
  deliver: (event: Event) => Promise<void>;
  /** Leaves an event for a later moment. */
  deliverLate: (event: Event) => void;
}

/** What becomes of a purchase. Returns whether the buyer has to have the plan now. */
export type Outcome = (purchase: Purchase) => Promise<boolean>;

const PAID: Outcome = async ({ stripe, session, buyer, deliver }) => {
  await deliver(stripe.pay(session, buyer));
  return true;
};

const TWICE: Outcome = async ({ stripe, session, buyer, deliver }) => {
  const event = stripe.pay(session, buyer);
  await Promise.all([deliver(event), deliver(event)]);
  await deliver(event);
  return true;
};

const LATE: Outcome = ({ stripe, session, buyer, deliverLate }) => {
  deliverLate(stripe.pay(session, buyer));
  return Promise.resolve(false);
};

const DECIDED_LATER: Outcome = async ({ stripe, session, buyer, deliver }) => {
  await deliver(stripe.pay(session, buyer, { later: true }));
  await deliver(stripe.decide(session, true));
  return true;
};

const DECIDED_EARLIER: Outcome = async ({ stripe, session, buyer, deliver, deliverLate }) => {
  deliverLate(stripe.pay(session, buyer, { later: true }));
  await deliver(stripe.decide(session, true));
  return true;
};

const REFUSED: Outcome = async ({ stripe, session, buyer, deliver, deliverLate }) => {
  deliverLate(stripe.pay(session, buyer, { later: true }));
  await deliver(stripe.decide(session, false));
  return false;
};

const REFUNDED: Outcome = async ({ stripe, session, buyer, deliver }) => {
  await deliver(stripe.pay(session, buyer));
  await deliver(stripe.reverse(session, 'refunded'));
  return false;
};

const REFUNDED_FIRST: Outcome = async ({ stripe, session, buyer, deliver, deliverLate }) => {
  deliverLate(stripe.pay(session, buyer));
  await deliver(stripe.reverse(session, 'refunded'));
  return false;
};

const DISPUTED_AT_ONCE: Outcome = async ({ stripe, session, buyer, deliver }) => {
  await Promise.all([deliver(stripe.pay(session, buyer)), deliver(stripe.reverse(session, 'disputed'))]);
  return false;
};

const EXPIRED: Outcome = async ({ stripe, session, deliver }) => {
  await deliver(stripe.expire(session));
  return false;
};

/** The outcomes of purchases. Most buyers simply pay. */
export const OUTCOMES: readonly Outcome[] = [
  ...[PAID, PAID, PAID, PAID, TWICE, TWICE, LATE, LATE],
  ...[DECIDED_LATER, DECIDED_EARLIER, REFUSED, REFUNDED, REFUNDED_FIRST, DISPUTED_AT_ONCE, EXPIRED],
];
