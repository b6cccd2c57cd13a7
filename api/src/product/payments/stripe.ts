import { PRODUCT } from '@app/contracts/brand';
import type { Plan } from '@app/contracts/plans';
import Stripe from 'stripe';
import * as v from 'valibot';
import { isConnectionFailure, ProviderError } from '#api/foundation/http/call-provider.ts';
import type { Env } from '#api/foundation/settings/env.ts';

/** The version of Stripe's API that the package speaks. A package with another version does not compile here. */
export const STRIPE_API_VERSION: typeof Stripe.API_VERSION = '2026-10-28.endive';

/** How old a signature may be, in seconds: Stripe's own bound. */
const TOLERANCE_S = 300;

const DEFAULT_TIMEOUT_MS = 5000;
/** As many as for other providers. Each call has an idempotency key, so a repetition does nothing twice. */
const MAX_RETRIES = 1;

/** How many calls may be under way at once. Stripe takes a hundred in a second, each of which takes a part of one. */
const MAX_CALLS = 25;

/** How long no call is made after Stripe has had too many: as long as it says, within bounds. */
const RETRY_AFTER_MS = { usual: 2000, most: 60_000 };

/** What a buyer is to pay, and where the provider's page leads afterwards. */
export interface SessionRequest {
  orderId: string;
  plan: Plan;
  amountCents: number;
  currency: string;
  successUrl: string;
  cancelUrl: string;
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

export class BadSignature extends Error {
  override readonly name = 'BadSignature';
}

const sessionSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  url: v.pipe(v.string(), v.url()),
  expires_at: v.pipe(v.number(), v.integer()),
});

interface StripeDeps {
  /** The account. It is asked for at the first call: a server knows its own address only when it listens. */
  account: () => StripeAccount;
  now: () => number;
  /** How long one try of a call may take, in milliseconds. */
  timeoutMs?: number;
}

export type PaymentProvider = ReturnType<typeof createStripe>;

/**
 * The adapter of Stripe Checkout, or in development of our stand-in for it. `docs/stripe-calls.md` lists every call and event, with the fields that are sent and
 * read.
 */
export function createStripe({ account, now, timeoutMs = DEFAULT_TIMEOUT_MS }: StripeDeps) {
  let made: Stripe | undefined;
  const client = () => (made ??= createClient(account(), timeoutMs));
  let underWay = 0;
  let pausedUntil = 0;

  /**
   * Makes a call to Stripe, unless too many are under way or Stripe has had too many: then the caller has to wait.
   * @param isFine whether a refusal means that everything is as it should be
   * @throws ProviderError
   */
  async function ask(call: () => Promise<unknown>, isFine?: (error: unknown) => boolean): Promise<unknown> {
    const waitMs = pausedUntil - now();
    if (waitMs > 0 || underWay >= MAX_CALLS)
      throw new ProviderError('Stripe has too much to do', { failure: 'declined', waitMs: Math.max(0, waitMs) });

    underWay += 1;
    try {
      return await call();
    } catch (error) {
      if (isFine?.(error)) return undefined;
      if (error instanceof Stripe.errors.StripeRateLimitError) pausedUntil = now() + readPause(error);
      throw toProviderError(error);
    } finally {
      underWay -= 1;
    }
  }

  return {
    id: 'stripe' as const,

    /**
     * Opens the provider's page for an order. The same order always gets the same page. Its host is one of the provider's.
     * @throws ProviderError when the provider does not answer, or refuses
     */
    async createSession(request: SessionRequest): Promise<{ ref: string; url: string; expiresAt: number }> {
      // The same order has the same key and the same parameters, so Stripe answers with the same session.
      const options = { idempotencyKey: `order-${request.orderId}` };
      const reply = await ask(() => client().checkout.sessions.create(toSessionParams(request), options));
      return readSession(reply, account().pageOrigins);
    },

    /** Reads a message from its body and the header `Stripe-Signature`; throws BadSignature. */
    async readEvent(body: Buffer, signature = ''): Promise<PaymentEvent> {
      const { webhookSecret } = account();
      const { webhooks } = Stripe;
      // An empty signature fails with an error of another kind, so every failure counts as a wrong signature.
      const event = await webhooks
        .constructEventAsync(body, signature, webhookSecret, TOLERANCE_S, undefined, now())
        .catch((error: unknown) => {
          throw new BadSignature('The signature is not one of Stripe for now', { cause: error });
        });
      return translateEvent(event);
    },

    /** Gives a payment back in full; repeating it changes nothing. Throws ProviderError. */
    async refund({ orderId, paymentRef }: { orderId: string; paymentRef: string }): Promise<void> {
      const options = { idempotencyKey: `refund-${orderId}-${paymentRef}` };
      await ask(() => client().refunds.create({ payment_intent: paymentRef }, options), isRefundedAlready);
    },
  };
}

function createClient({ secretKey, apiOrigin }: StripeAccount, timeoutMs: number): Stripe {
  const { protocol, hostname, port } = new URL(apiOrigin);
  const isPlain = protocol === 'http:';

  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    // With `fetch` the time limit is for the whole call. The package's other client counts only the silence.
    httpClient: Stripe.createFetchHttpClient(fetchDirectly),
    timeout: timeoutMs,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
}

/** Follows no redirect: no other server gets what is for Stripe. */
function fetchDirectly(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  // `fetch` sets it itself, and undici refuses it when it is there twice.
  headers.delete('content-length');
  return fetch(url, { ...init, headers, redirect: 'error' });
}

function toSessionParams({
  orderId,
  plan,
  amountCents,
  currency,
  successUrl,
  cancelUrl,
}: SessionRequest): Stripe.Checkout.SessionCreateParams {
  const metadata = { order: orderId };
  const name = `${PRODUCT.label} ${plan.name}, ${plan.days} days`;

  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amountCents, product_data: { name } } }],
    // What is paid is the price that our page has shown, in its currency.
    adaptive_pricing: { enabled: false },
    client_reference_id: orderId,
    metadata,
    payment_intent_data: { metadata },
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
}

function readSession(reply: unknown, pageOrigins: readonly string[]) {
  const session = v.safeParse(sessionSchema, reply);
  if (!session.success) throw new ProviderError('Stripe gave an unknown reply', { failure: 'unfit' });

  const { id, url, expires_at: expiresAtS } = session.output;
  if (!pageOrigins.includes(new URL(url).origin))
    throw new ProviderError('Stripe named a page of another site', { failure: 'unfit' });
  return { ref: id, url, expiresAt: expiresAtS * 1000 };
}

/** Keys are kept for a day. A refund that is asked for later again is refused with this code. */
function isRefundedAlready(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded';
}

function readPause({ headers }: InstanceType<typeof Stripe.errors.StripeRateLimitError>): number {
  const seconds = Number(headers?.['retry-after'] ?? NaN);
  return seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_MS.most) : RETRY_AFTER_MS.usual;
}

/** The message names no more than the kind of error: Stripe's own texts repeat what was sent. */
function toProviderError(error: unknown): unknown {
  const { StripeError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
  if (error instanceof StripeConnectionError) {
    const failure = isConnectionFailure(error.detail) ? 'unreached' : 'unanswered';
    return new ProviderError('Stripe did not answer', { failure, cause: error });
  }
  if (!(error instanceof StripeError)) return error;
  if (error instanceof StripeRateLimitError)
    return new ProviderError('Stripe has too much to do', {
      failure: 'declined',
      waitMs: readPause(error),
      cause: error,
    });
  return new ProviderError(`Stripe refused: ${error.code ?? error.type}`, { failure: 'unfit', cause: error });
}

/** Says in our words what an event of Stripe means for an order. `docs/stripe-calls.md` lists the events. */
function translateEvent(event: Stripe.Event): PaymentEvent {
  return { id: event.id, type: event.type, ...readContent(event) };
}

/** The members of each kind of event, without those that all events have. */
type EventContent = PaymentEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'id' | 'type'>
    : never
  : never;

const OTHER_EVENT: EventContent = { kind: 'other' };

function readContent(event: Stripe.Event): EventContent {
  if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded')
    return readWithOrder(event.data.object, readCompletion);
  if (event.type === 'checkout.session.async_payment_failed')
    return readWithOrder(event.data.object, (_session, orderId) => ({ kind: 'failed', orderId }));
  if (event.type === 'checkout.session.expired')
    return readWithOrder(event.data.object, (_session, orderId) => ({ kind: 'expired', orderId }));
  // A refund of a part, which only Stripe's dashboard can make, leaves the plan as it is.
  if (event.type === 'charge.refunded' && event.data.object.refunded) return readReversal(event.data.object, 'refund');
  if (
    event.type === 'charge.dispute.created' ||
    event.type === 'charge.dispute.updated' ||
    event.type === 'charge.dispute.closed'
  )
    return readDispute(event.data.object);
  return OTHER_EVENT;
}

/** The account may have other sessions, such as those of payment links. They name no order. */
function readWithOrder(
  session: Stripe.Checkout.Session,
  read: (session: Stripe.Checkout.Session, orderId: string) => EventContent,
): EventContent {
  return session.client_reference_id ? read(session, session.client_reference_id) : OTHER_EVENT;
}

function readCompletion(session: Stripe.Checkout.Session, orderId: string): EventContent {
  if (session.payment_status === 'unpaid') return { kind: 'pending', orderId };

  const { email = null, name = null, address } = session.customer_details ?? {};
  return {
    kind: 'paid',
    orderId,
    // Stripe names none where nothing had to be paid.
    paymentRef: idOf(session.payment_intent) ?? session.id,
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    email,
    name,
    countryCode: address?.country ?? null,
  };
}

/** An inquiry of a bank takes no money. A dispute that the buyer withdraws is won as well. */
function readDispute(dispute: Stripe.Dispute): EventContent {
  if (dispute.status.startsWith('warning_')) return OTHER_EVENT;
  if (dispute.status !== 'won') return readReversal(dispute, 'dispute');

  const paymentRef = idOf(dispute.payment_intent);
  return paymentRef === null ? OTHER_EVENT : { kind: 'restored', paymentRef };
}

function readReversal(
  { payment_intent: payment }: { payment_intent?: string | { id: string } | null },
  reason: 'refund' | 'dispute',
): EventContent {
  const paymentRef = idOf(payment ?? null);
  return paymentRef === null ? OTHER_EVENT : { kind: 'reversed', paymentRef, reason };
}

/** Stripe names another object by its id, or shows it whole. */
function idOf(object: string | { id: string } | null): string | null {
  return typeof object === 'object' ? (object?.id ?? null) : object;
}

const API_ORIGIN = 'https://api.stripe.com';
const PAGE_ORIGIN = 'https://checkout.stripe.com';

export interface StripeAccount {
  secretKey: string;
  /** Stripe signs its events for our webhook with it. */
  webhookSecret: string;
  /** The origin of Stripe's API, or of a server that stands in for it. */
  apiOrigin: string;
  /** The origins of the pages that a buyer may be sent to. */
  pageOrigins: readonly string[];
}

/**
 * Reads the account from the settings.
 * @returns `sandbox`: the fake Stripe of a development machine; undefined: production without an account, where no
 * plan can be bought
 */
export function readStripeAccount(env: Env): StripeAccount | 'sandbox' | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, TEST_STRIPE_ORIGIN: standIn } = env;
  if (secretKey === undefined || webhookSecret === undefined)
    return env.NODE_ENV === 'production' ? undefined : 'sandbox';

  return { secretKey, webhookSecret, apiOrigin: standIn ?? API_ORIGIN, pageOrigins: [standIn ?? PAGE_ORIGIN] };
}
