import { PRODUCT } from '@app/contracts/brand';
import Stripe from 'stripe';
import * as v from 'valibot';
import { neverConnected, ProviderError } from '#api/foundation/http/call-provider.ts';
import { BadSignature, type Checkout, type CheckoutSession, type PaymentProvider } from './payment-provider.ts';
import type { StripeAccount } from './stripe-account.ts';
import { translateEvent } from './stripe-events.ts';

/** The version of Stripe's API that the package speaks. A package with another version does not compile here. */
export const STRIPE_API_VERSION: typeof Stripe.API_VERSION = '2026-10-28.endive';

/** How old a signature may be, in seconds: Stripe's own bound. */
const TOLERANCE_S = 300;

const DEFAULT_TIMEOUT_MS = 5000;
/** As many as for other providers. Each call has an idempotency key, so a repetition does nothing twice. */
const RETRIES = 1;

/** How many calls may be under way at once. Stripe takes a hundred in a second, each of which takes a part of one. */
const MOST_CALLS = 25;

/** How long no call is made after Stripe has had too many: as long as it says, within bounds. */
const PAUSE_MS = { usual: 2000, most: 60_000 };

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

/**
 * The adapter of Stripe Checkout. `docs/stripe-calls.md` lists every call and event, with the fields that are sent and
 * read.
 */
export function createStripe({ account, now, timeoutMs = DEFAULT_TIMEOUT_MS }: StripeDeps): PaymentProvider {
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
    if (waitMs > 0 || underWay >= MOST_CALLS)
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
    id: 'stripe',

    async createSession(checkout) {
      // The same order has the same key and the same parameters, so Stripe answers with the same session.
      const options = { idempotencyKey: `order-${checkout.orderId}` };
      const reply = await ask(() => client().checkout.sessions.create(describeCheckout(checkout), options));
      return readSession(reply, account().pageOrigins);
    },

    async readEvent(body, signature = '') {
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

    async refund({ orderId, paymentRef }) {
      const options = { idempotencyKey: `refund-${orderId}` };
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
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}

/** Follows no redirect: nobody else gets what is for Stripe. */
function fetchDirectly(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  // `fetch` sets it itself, and undici refuses it when it is there twice.
  headers.delete('content-length');
  return fetch(url, { ...init, headers, redirect: 'error' });
}

function describeCheckout({
  orderId,
  plan,
  amountCents,
  currency,
  successUrl,
  cancelUrl,
}: Checkout): Stripe.Checkout.SessionCreateParams {
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

function readSession(reply: unknown, pageOrigins: readonly string[]): CheckoutSession {
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

/** How long Stripe wants no further call. */
function readPause({ headers }: InstanceType<typeof Stripe.errors.StripeRateLimitError>): number {
  const seconds = Number(headers?.['retry-after'] ?? NaN);
  return seconds > 0 ? Math.min(seconds * 1000, PAUSE_MS.most) : PAUSE_MS.usual;
}

/** The message names no more than the kind of error: Stripe's own texts repeat what was sent. */
function toProviderError(error: unknown): unknown {
  const { StripeError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
  if (error instanceof StripeConnectionError) {
    const failure = neverConnected(error.detail) ? 'unreached' : 'unanswered';
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
