import { createHmac } from 'node:crypto';
import { STRIPE_API_VERSION } from '#api/product/payments/stripe.ts';

/** How old a signature is that is sent too late, in seconds: older than Stripe's tolerance of 300. */
const TOO_OLD_S = 301;
const TIMEOUT_MS = 10_000;
const DEFAULT_LATE_MS = 3000;

/** An event with the bytes that are sent for it. */
export interface FakeEvent {
  type: string;
  body: string;
  /** What our server has answered, one status after the other; 0 where it did not answer. */
  answers: number[];
}

/** How events are delivered, with the labels of the choice. */
export const DELIVERIES = {
  once: 'Once',
  twice: 'Twice',
  late: 'Late, after the buyer is back',
  out_of_order: 'Out of order: refunded before paid',
  bad_signature: 'Badly signed',
  too_old: 'Signed too long ago',
  never: 'Never',
} as const;
export type Delivery = keyof typeof DELIVERIES;

/** Wraps what has changed in an event, as Stripe does. */
export function describeEvent(facts: { id: string; type: string; object: unknown; at: number }): FakeEvent {
  const { id, type, object, at } = facts;
  const event = {
    id,
    object: 'event',
    api_version: STRIPE_API_VERSION,
    created: Math.floor(at / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };

  return { type, body: JSON.stringify(event, null, 2), answers: [] };
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
  /** How long a late event waits, in milliseconds. */
  lateMs?: number | undefined;
}

/** Makes the function that sends events to our webhook. It ends when all are answered, except the late ones. */
export function createDeliver({ webhookUrl, webhookSecret, now, lateMs = DEFAULT_LATE_MS }: DeliverDeps) {
  async function send(event: FakeEvent, how: Delivery): Promise<void> {
    const secret = how === 'bad_signature' ? `${webhookSecret}x` : webhookSecret;
    const signedAt = how === 'too_old' ? now() - TOO_OLD_S * 1000 : now();
    const answer = await fetch(webhookUrl(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signBody(event.body, secret, signedAt),
      },
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    event.answers.push(answer?.status ?? 0);
  }

  async function sendAll(events: readonly FakeEvent[], how: Delivery): Promise<void> {
    for (const event of events) await send(event, how);
  }

  return async function deliver(events: readonly FakeEvent[], how: Delivery): Promise<void> {
    if (how === 'never') return;
    if (how === 'late') return void setTimeout(() => void sendAll(events, 'once'), lateMs).unref();

    await sendAll(how === 'out_of_order' ? events.toReversed() : events, how);
    if (how === 'twice') await sendAll(events, how);
  };
}
