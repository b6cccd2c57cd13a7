import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from '../world/client.ts';

/** How long a buyer can pay, in seconds. */
const SESSION_TTL_S = 24 * 60 * 60;

/** What a buyer says of themselves on the provider's page. */
export interface Buyer {
  email: string;
  name: string;
}

/** A checkout session with its payment, as the provider's own books have it. */
export interface Session {
  id: string;
  orderId: string;
  amountCents: number;
  currency: string;
  expiresAtS: number;
  status: 'open' | 'complete' | 'expired';
  buyer: Buyer | undefined;
  payment: Payment | undefined;
}

interface Payment {
  id: string;
  charge: string;
  state: PaymentState;
  /** When it succeeded, in epoch milliseconds. */
  paidAt: number;
}

type PaymentState = 'processing' | 'succeeded' | 'failed' | 'refunded' | 'disputed';

/** The states of a payment that has succeeded, whatever became of it. */
export const CHARGED_STATES: readonly PaymentState[] = ['succeeded', 'refunded', 'disputed'];

export interface Event {
  id: string;
  body: string;
  /** Whether our server has acknowledged it. */
  isTaken: boolean;
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/**
 * Starts a stand-in for Stripe in this process, outside of the attacked server. What was paid there is known to us and
 * survives the server's death.
 * @param now the clock of the server, in epoch milliseconds
 * @param callServer sends an event to our server's webhook
 */
export async function startFakeStripe({
  now,
  callServer,
}: {
  now: () => number;
  callServer: (body: string, signature: string) => Promise<Answer>;
}) {
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const sessions = new Map<string, Session>();
  const events: Event[] = [];
  /** Answers by their idempotency key. */
  const given = new Map<string, { request: string; reply: unknown }>();

  const server = createServer((req, res) => void answer(req, res));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { status, body } = respond(req, await text(req));
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function respond({ headers, method, url }: IncomingMessage, body: string): { status: number; body: unknown } {
    const key = String(headers['idempotency-key']);
    const request = `${method} ${url} ${body}`;
    const known = given.get(key);
    if (headers.authorization !== `Bearer ${secretKey}`) return errorResponse(401, 'Invalid API Key provided');
    if (known && known.request !== request) return errorResponse(400, 'Keys can only be used with the same parameters');
    if (known) return { status: 200, body: known.reply };
    if (request.indexOf('POST /v1/checkout/sessions ') !== 0) return errorResponse(404, 'Unrecognized request URL');

    const session = open(new URLSearchParams(body));
    const reply = { ...presentSession(session), url: `${origin}/pay/${session.id}` };
    given.set(key, { request, reply });
    return { status: 200, body: reply };
  }

  function open(params: URLSearchParams): Session {
    const param = (name: string) => params.get(name) ?? '';
    const session: Session = {
      id: makeId('cs_test'),
      orderId: param('client_reference_id'),
      amountCents: Number(param('line_items[0][price_data][unit_amount]')),
      currency: param('line_items[0][price_data][currency]'),
      expiresAtS: Math.floor(now() / 1000) + SESSION_TTL_S,
      status: 'open',
      buyer: undefined,
      payment: undefined,
    };
    sessions.set(session.id, session);
    return session;
  }

  function settle(session: Session, state: PaymentState): void {
    session.payment = { id: makeId('pi'), charge: makeId('ch'), paidAt: 0, ...session.payment, state };
    if (state === 'succeeded') session.payment.paidAt = now();
  }

  function tell(type: string, object: unknown): Event {
    const event = { id: makeId('evt'), body: '', isTaken: false };
    event.body = JSON.stringify({
      id: event.id,
      object: 'event',
      created: Math.floor(now() / 1000),
      data: { object },
      livemode: false,
      type,
    });
    events.push(event);
    return event;
  }

  /** The header `Stripe-Signature` of a body. Source: https://docs.stripe.com/webhooks#verify-manually */
  function sign(body: string): string {
    const t = Math.floor(now() / 1000);
    return `t=${t},v1=${createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex')}`;
  }

  return {
    /** The environment variables of a server with this account. */
    settings: { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, TEST_STRIPE_ORIGIN: origin },
    sessions: (): Session[] => [...sessions.values()],
    events: (): readonly Event[] => events,

    /** The session whose page an address is. Undefined for other addresses. */
    sessionAt(address: string | undefined): Session | undefined {
      return address?.startsWith(`${origin}/pay/`)
        ? sessions.get(address.slice(address.lastIndexOf('/') + 1))
        : undefined;
    },

    /** A buyer pays. With `later` the bank decides later. Returns the event that tells of it. */
    pay(session: Session, buyer: Buyer, { later = false } = {}): Event {
      session.status = 'complete';
      session.buyer = buyer;
      settle(session, later ? 'processing' : 'succeeded');
      return tell('checkout.session.completed', presentSession(session));
    },

    /** The bank decides about a payment that waits for it. */
    decide(session: Session, isGood: boolean): Event {
      settle(session, isGood ? 'succeeded' : 'failed');
      return tell(`checkout.session.async_payment_${isGood ? 'succeeded' : 'failed'}`, presentSession(session));
    },

    expire(session: Session): Event {
      session.status = 'expired';
      return tell('checkout.session.expired', presentSession(session));
    },

    /** Gives a payment back, or takes it back as the buyer's bank wants. */
    reverse(session: Session, state: 'refunded' | 'disputed'): Event {
      settle(session, state);
      const { id, charge } = session.payment ?? {};
      return state === 'refunded'
        ? tell('charge.refunded', { id: charge, object: 'charge', payment_intent: id, refunded: true })
        : tell('charge.dispute.created', {
            id: makeId('du'),
            object: 'dispute',
            charge,
            payment_intent: id,
            status: 'needs_response',
          });
    },

    /** Delivers an event once. Rejects without an answer. */
    async deliver(event: Event): Promise<Answer> {
      const answer = await callServer(event.body, sign(event.body));
      if (answer.status === 200) event.isTaken = true;
      return answer;
    },

    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Shows a session as Stripe's API does. */
function presentSession({ id, orderId, amountCents, currency, buyer, payment, status, expiresAtS }: Session) {
  return {
    id,
    object: 'checkout.session',
    amount_total: amountCents,
    client_reference_id: orderId,
    currency,
    customer_details: buyer && { ...buyer, address: { country: 'DE' } },
    expires_at: expiresAtS,
    payment_intent: payment?.id ?? null,
    payment_status: payment && CHARGED_STATES.includes(payment.state) ? 'paid' : 'unpaid',
    status,
  };
}

function errorResponse(status: number, message: string) {
  return { status, body: { error: { type: 'invalid_request_error', message } } };
}

function makeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
