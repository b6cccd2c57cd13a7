import type { Plan } from '@app/contracts/plans';

/** What a buyer is to pay, and where the provider's page leads afterwards. */
export interface SessionRequest {
  orderId: string;
  plan: Plan;
  amountCents: number;
  currency: string;
  /** Absolute addresses of our site. */
  successUrl: string;
  cancelUrl: string;
}

/** The provider's page for one order. */
export interface CheckoutSession {
  /** The provider's id of the session. */
  ref: string;
  /** Where the buyer pays. Its host is one of the provider's. */
  url: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A signed message of the provider, in our words. `id` is the provider's; the same message may come again. */
export type PaymentEvent = { id: string; type: string } & (
  | {
      kind: 'paid';
      orderId: string;
      /** The provider's payment, which a later refund or dispute names. */
      paymentRef: string;
      amountCents: number;
      currency: string;
      email: string | null;
      name: string | null;
      /** Two letters. */
      countryCode: string | null;
    }
  /** The buyer is through, and the bank has not decided yet. */
  | { kind: 'pending'; orderId: string }
  | { kind: 'failed' | 'expired'; orderId: string }
  /** A full refund, or a dispute for which the buyer's bank has taken the money. */
  | { kind: 'reversed'; paymentRef: string; reason: 'refund' | 'dispute' }
  /** A dispute that was won: the money is ours again. */
  | { kind: 'restored'; paymentRef: string }
  /** Nothing that concerns an order of ours. */
  | { kind: 'other' }
);

/** A message whose signature is wrong, missing or too old. */
export class BadSignature extends Error {
  override readonly name = 'BadSignature';
}

/** Takes payments. The one implementation speaks to Stripe; in development, to our stand-in for it. */
export interface PaymentProvider {
  id: 'stripe';
  /**
   * Opens the provider's page for an order. The same order always gets the same page.
   * @throws ProviderError when the provider does not answer, or refuses
   */
  createSession: (request: SessionRequest) => Promise<CheckoutSession>;
  /**
   * Reads a message of the provider from the bytes of its body.
   * @param signature the header `Stripe-Signature`
   * @throws BadSignature
   */
  readEvent: (body: Buffer, signature: string | undefined) => Promise<PaymentEvent>;
  /**
   * Gives a payment back in full. Repeating it changes nothing.
   * @throws ProviderError when the provider does not answer, or refuses
   */
  refund: (order: { orderId: string; paymentRef: string }) => Promise<void>;
}
