import { urlencoded, Router, type RequestHandler, type Response } from 'express';
import * as v from 'valibot';
import { act, createFakeSession, describeSession, makeId, type FakeSession } from './fake-session.ts';
import type { FakeEvent } from './fake-event.ts';

/** In cents. Source: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const LEAST_EUR = 50;

const wholeNumber = v.pipe(v.string(), v.regex(/^\d+$/, 'Invalid integer'), v.transform(Number));
const metadata = v.optional(v.record(v.string(), v.string()), {});

/** The parameters that our server sends. Others are refused, as Stripe refuses those that it does not know. */
const createSchema = v.strictObject({
  mode: v.literal('payment'),
  line_items: v.strictTuple([
    v.strictObject({
      quantity: v.literal('1'),
      price_data: v.strictObject({
        currency: v.literal('eur'),
        unit_amount: v.pipe(wholeNumber, v.minValue(LEAST_EUR)),
        product_data: v.strictObject({ name: v.pipe(v.string(), v.nonEmpty()) }),
      }),
    }),
  ]),
  adaptive_pricing: v.optional(v.strictObject({ enabled: v.literal('false') })),
  client_reference_id: v.optional(v.pipe(v.string(), v.maxLength(200))),
  metadata,
  payment_intent_data: v.optional(v.strictObject({ metadata }), {}),
  success_url: v.pipe(v.string(), v.url()),
  cancel_url: v.optional(v.pipe(v.string(), v.url())),
});

const refundSchema = v.strictObject({ payment_intent: v.string() });

/** What the fake can do wrong on request, with the labels of the choice. */
export const MISBEHAVIOURS = {
  error: 'Fails with 500',
  busy: 'Has too much to do',
  down: 'Breaks off',
  silent: 'Says nothing',
  stuck: 'Stops in the middle',
  garbage: 'Answers with a page',
  unknown_reply: 'Answers with other JSON',
  foreign_page: 'Names a page of another site',
} as const;
export type Misbehaviour = keyof typeof MISBEHAVIOURS;

interface FakeApiDeps {
  sessions: Map<string, FakeSession>;
  secretKey: string;
  pageOrigin: (req: Parameters<RequestHandler>[0]) => string;
  deliver: (events: readonly FakeEvent[], how: 'once') => Promise<void>;
  now: () => number;
  misbehaviour: () => Misbehaviour | undefined;
}

interface Reply {
  status: number;
  body: unknown;
}

/** Plays the part of Stripe's API that our server uses. */
export function fakeApi({ sessions, secretKey, pageOrigin, deliver, now, misbehaviour }: FakeApiDeps): Router {
  const router = Router();

  router.use(
    (req, res, next) => {
      const how = misbehaviour();
      if (how !== undefined && misbehave(res, how)) return;
      if (req.get('authorization') !== `Bearer ${secretKey}`)
        return answer(res, refuse(401, 'Invalid API Key provided'));

      next();
    },
    urlencoded({ extended: true }),
  );
  router.use(answerKeysOnce());

  router.post('/checkout/sessions', (req, res) => {
    const params = v.safeParse(createSchema, req.body);
    if (!params.success) return answer(res, refuseParams(params.issues));

    const { line_items: lineItems, ...rest } = params.output;
    const { currency, unit_amount: amountCents, product_data: product } = lineItems[0].price_data;
    const session = createFakeSession(
      {
        amountCents,
        currency,
        description: product.name,
        orderId: rest.client_reference_id ?? null,
        metadata: rest.metadata,
        paymentMetadata: rest.payment_intent_data.metadata ?? {},
        successUrl: rest.success_url,
        cancelUrl: rest.cancel_url ?? null,
      },
      now(),
    );
    sessions.set(session.id, session);
    const page = misbehaviour() === 'foreign_page' ? 'https://checkout.evil.example' : pageOrigin(req);
    answer(res, { status: 200, body: describeSession(session, page) });
  });

  router.get('/checkout/sessions/:id', (req, res) => {
    const session = sessions.get(req.params.id);
    if (!session) return answer(res, refuseMissing('checkout.session', req.params.id));

    answer(res, { status: 200, body: describeSession(session, pageOrigin(req)) });
  });

  router.post('/refunds', (req, res) => {
    const params = v.safeParse(refundSchema, req.body);
    if (!params.success) return answer(res, refuseParams(params.issues));

    const { payment_intent: id } = params.output;
    const session = [...sessions.values()].find(({ payment }) => payment?.id === id);
    if (!session?.payment || !session.buyer) return answer(res, refuseMissing('payment_intent', id));

    const events = act(session, 'refund', session.buyer, now());
    if (events.length === 0) return answer(res, refuseRefund(session.payment));

    answer(res, { status: 200, body: describeRefund(session, now()) });
    // As at Stripe, the event comes by itself, perhaps after the answer.
    void deliver(events, 'once');
  });

  router.use((req, res) => answer(res, refuse(404, `Unrecognized request URL (${req.method}: ${req.path})`)));

  return router;
}

/**
 * Repeats the first answer to an idempotency key. Answers to requests that were not carried out are not kept.
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
function answerKeysOnce(): RequestHandler {
  const kept = new Map<string, { request: string; reply: Reply }>();

  return (req, res, next) => {
    const key = req.get('idempotency-key');
    if (key === undefined || req.method !== 'POST') return next();

    const request = `${req.path} ${JSON.stringify(req.body)}`;
    const known = kept.get(key);
    if (known) {
      if (known.request !== request) return answer(res, refuseKey(key));
      return answer(res.set('idempotent-replayed', 'true'), known.reply);
    }

    const send = res.json.bind(res);
    res.json = (body: unknown) => {
      if (res.statusCode === 200) kept.set(key, { request, reply: { status: 200, body } });
      return send(body);
    };
    next();
  };
}

/** Does something wrong in place of an answer. Returns whether the answer is given by that. */
function misbehave(res: Response, how: Misbehaviour): boolean {
  switch (how) {
    case 'error':
      // Stripe asks for no repetition then: a key would get the same answer.
      answer(res.set('stripe-should-retry', 'false'), refuse(500, 'An unknown error occurred', { type: 'api_error' }));
      return true;
    case 'busy':
      answer(res.set('retry-after', '5'), refuse(429, 'Request rate limit exceeded', { code: 'rate_limit' }));
      return true;
    case 'down':
      res.socket?.destroy();
      return true;
    case 'silent':
      return true;
    case 'stuck':
      res.type('json').write('{"id":');
      return true;
    case 'garbage':
      res.type('html').send('<!doctype html><title>Stripe</title>');
      return true;
    case 'unknown_reply':
      res.json({ object: 'list', data: [] });
      return true;
    case 'foreign_page':
      return false;
  }
}

function answer(res: Response, { status, body }: Reply): void {
  res.status(status).set('request-id', makeId('req')).json(body);
}

function refuse(status: number, message: string, more: Record<string, unknown> = {}): Reply {
  return { status, body: { error: { type: 'invalid_request_error', message, ...more } } };
}

function refuseParams([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): Reply {
  const param = v.getDotPath(issue) ?? '';
  return refuse(400, issue.message, {
    param,
    code: issue.received === 'undefined' ? 'parameter_missing' : 'parameter_unknown',
  });
}

function refuseMissing(what: string, id: string): Reply {
  return refuse(404, `No such ${what}: '${id}'`, { code: 'resource_missing' });
}

function refuseKey(key: string): Reply {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return refuse(400, message, { type: 'idempotency_error' });
}

function refuseRefund({ id, charge, state }: NonNullable<FakeSession['payment']>): Reply {
  if (state === 'refunded')
    return refuse(400, `Charge ${charge} has already been refunded.`, { code: 'charge_already_refunded' });
  if (state === 'disputed' || state === 'won')
    return refuse(400, `Charge ${charge} has been charged back.`, { code: 'charge_disputed' });

  return refuse(400, `This PaymentIntent (${id}) does not have a successful charge to refund.`);
}

function describeRefund({ payment, amountCents, currency }: FakeSession, at: number) {
  return {
    id: makeId('re'),
    object: 'refund',
    amount: amountCents,
    charge: payment?.charge,
    created: Math.floor(at / 1000),
    currency,
    metadata: {},
    payment_intent: payment?.id,
    reason: null,
    status: 'succeeded',
  };
}
