import { urlencoded, Router, type RequestHandler, type Response } from 'express';
import * as v from 'valibot';
import {
  performAction,
  createFakeSession,
  describeSession,
  makeId,
  type FakeEvent,
  type FakeSession,
} from './fake-session.ts';
import type texts from './sandbox.en.json';

/** In cents. Source: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MIN_EUR = 50;

const wholeNumber = v.pipe(v.string(), v.regex(/^\d+$/, 'Invalid integer'), v.transform(Number));
const metadata = v.optional(v.record(v.string(), v.string()));

/** The parameters that our server sends. Others are refused, as Stripe refuses those that it does not know. */
const createSchema = v.strictObject({
  mode: v.literal('payment'),
  line_items: v.strictTuple([
    v.strictObject({
      quantity: v.literal('1'),
      price_data: v.strictObject({
        currency: v.literal('eur'),
        unit_amount: v.pipe(wholeNumber, v.minValue(MIN_EUR)),
        product_data: v.strictObject({ name: v.pipe(v.string(), v.nonEmpty()) }),
      }),
    }),
  ]),
  adaptive_pricing: v.optional(v.strictObject({ enabled: v.literal('false') })),
  client_reference_id: v.optional(v.pipe(v.string(), v.maxLength(200))),
  metadata,
  payment_intent_data: v.optional(v.strictObject({ metadata })),
  success_url: v.pipe(v.string(), v.url()),
  cancel_url: v.optional(v.pipe(v.string(), v.url())),
});

const refundSchema = v.strictObject({ payment_intent: v.string() });

/** What the fake can do wrong on request. */
export type Misbehaviour = keyof typeof texts.misbehaviours;

interface FakeApiDeps {
  sessions: Map<string, FakeSession>;
  secretKey: string;
  pageOrigin: (req: Parameters<RequestHandler>[0]) => string;
  deliver: (events: readonly FakeEvent[], how: 'once') => Promise<void>;
  now: () => number;
  misbehaviour: () => Misbehaviour | undefined;
}

export function fakeApi({ sessions, secretKey, pageOrigin, deliver, now, misbehaviour }: FakeApiDeps): Router {
  const router = Router();

  router.use(
    (req, res, next) => {
      const how = misbehaviour();
      const misbehave = how && MISBEHAVE[how];
      if (misbehave) return misbehave(res);
      if (req.get('authorization') !== `Bearer ${secretKey}`) return refuse(res, 401, 'Invalid API Key provided');

      next();
    },
    urlencoded({ extended: true }),
    answerKeysOnce(),
  );

  router.post('/checkout/sessions', (req, res) => {
    const params = v.safeParse(createSchema, req.body);
    if (!params.success) return refuseParams(res, params.issues);

    const { line_items: lineItems, ...rest } = params.output;
    const { currency, unit_amount: amountCents, product_data: product } = lineItems[0].price_data;
    const session = createFakeSession(
      {
        amountCents,
        currency,
        description: product.name,
        orderId: rest.client_reference_id ?? null,
        successUrl: rest.success_url,
        cancelUrl: rest.cancel_url ?? null,
      },
      now(),
    );
    sessions.set(session.id, session);
    const page = misbehaviour() === 'foreign_page' ? 'https://checkout.evil.example' : pageOrigin(req);
    answer(res, 200, describeSession(session, page));
  });

  router.post('/refunds', (req, res) => {
    const params = v.safeParse(refundSchema, req.body);
    if (!params.success) return refuseParams(res, params.issues);

    const { payment_intent: id } = params.output;
    const session = [...sessions.values()].find(({ payment }) => payment?.id === id);
    if (!session?.payment || !session.buyer)
      return refuse(res, 404, `No such payment_intent: '${id}'`, { code: 'resource_missing' });

    const events = performAction(session, 'refund', session.buyer, now());
    if (events.length === 0) {
      const { charge, state } = session.payment;
      const code = { refunded: 'charge_already_refunded', disputed: 'charge_disputed', won: 'charge_disputed' }[
        String(state)
      ];
      return refuse(res, 400, `Charge ${charge} cannot be refunded.`, { code });
    }

    answer(res, 200, { id: makeId('re'), object: 'refund', payment_intent: id, status: 'succeeded' });
    // As at Stripe, the event comes by itself, perhaps after the answer.
    void deliver(events, 'once');
  });

  router.use((req, res) => refuse(res, 404, `Unrecognized request URL (${req.method}: ${req.path})`));

  return router;
}

/**
 * Repeats the first answer to an idempotency key. Answers to requests that were not carried out are not kept.
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
function answerKeysOnce(): RequestHandler {
  const kept = new Map<string, { request: string; body: unknown }>();

  return (req, res, next) => {
    const key = req.get('idempotency-key');
    if (key === undefined) return next();

    const request = `${req.path} ${JSON.stringify(req.body)}`;
    const known = kept.get(key);
    if (known?.request === request) return answer(res.set('idempotent-replayed', 'true'), 200, known.body);
    if (known)
      return refuse(res, 400, `The key '${key}' was used with other parameters`, { type: 'idempotency_error' });

    const send = res.json.bind(res);
    res.json = (body: unknown) => {
      if (res.statusCode === 200) kept.set(key, { request, body });
      return send(body);
    };
    next();
  };
}

/** What is done in place of an answer. */
const MISBEHAVE: Record<Misbehaviour, ((res: Response) => void) | undefined> = {
  // Stripe asks for no repetition then: a key would get the same answer.
  error: (res) =>
    refuse(res.set('stripe-should-retry', 'false'), 500, 'An unknown error occurred', { type: 'api_error' }),
  busy: (res) => refuse(res.set('retry-after', '5'), 429, 'Request rate limit exceeded', { code: 'rate_limit' }),
  down: (res) => void res.socket?.destroy(),
  silent: () => undefined,
  stuck: (res) => void res.type('json').write('{"id":'),
  garbage: (res) => void res.type('html').send('<!doctype html><title>Stripe</title>'),
  unknown_reply: (res) => void res.json({ object: 'list', data: [] }),
  foreign_page: undefined,
};

function answer(res: Response, status: number, body: unknown): void {
  res.status(status).set('request-id', makeId('req')).json(body);
}

function refuse(res: Response, status: number, message: string, more: Record<string, unknown> = {}): void {
  answer(res, status, { error: { type: 'invalid_request_error', message, ...more } });
}

function refuseParams(res: Response, [issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): void {
  const code = issue.received === 'undefined' ? 'parameter_missing' : 'parameter_unknown';
  refuse(res, 400, issue.message, { param: v.getDotPath(issue) ?? '', code });
}
