import { PAGES } from '@app/contracts/pages';
import { PLANS, type Plan } from '@app/contracts/plans';
import { orderConsentSchema, orderRefSchema } from '@app/contracts/checkout-requests';
import { Router, type Request, type Response } from 'express';
import * as v from 'valibot';
import { type DeviceClaim, deviceQuery, parseDeviceClaim, parseHwid } from '#api/product/devices/device.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { requireUserNavigation } from '#api/foundation/http/fetch-metadata.ts';
import { noReferrer } from '#api/foundation/http/headers.ts';
import { formatWords, interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { rawBody } from '#api/foundation/http/raw-body.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { onlyGet, onlyGetOrPost, onlyPost, onlyRead } from '#api/foundation/http/only-methods.ts';
import { beginPayment, readOrder, saveConsent, type Checkout } from './checkout.ts';
import { createOrdersRepository, OPEN_STATES } from './orders.repository.ts';
import { BadSignature } from './stripe.ts';
import { receivePaymentEvent } from './receive-payment-event.ts';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_S = 60;

/** How often the buyer of an order may change their mind in an hour. Each change stays on record. */
const CONSENTS_PER_HOUR = 30;

const MB = 1024 * 1024;

/** A message is smaller, and comes at once. The provider sends one that was refused again. */
const WEBHOOK_BODY = { limit: MB, room: 32 * MB, timeoutMs: 10_000 };

/** A time as `Date.prototype.toISOString` writes it. */
const dateSchema = v.pipe(v.string(), v.maxLength(40), v.isoTimestamp());

interface PaymentsRoutesDeps {
  checkout: Checkout;
  ownOrigin: () => string;
  /** Payments that one address may begin for one device, and for all devices together. */
  limits: { paymentsPerHour: number; perAddress: { payments: number } };
  limiter: RateLimiter;
}

/** The routes of payments: begin one, come back from one, ask how it stands, and the provider's messages. */
export function paymentsRoutes({ checkout, ownOrigin, limits, limiter }: PaymentsRoutesDeps): Router {
  const router = Router();

  const limit = { name: 'payment', max: limits.paymentsPerHour, windowMs: HOUR_MS, refuse: sendPause };
  const limitPayments = limiter.byDevice(
    limit,
    (req) => parseHwid(deviceQuery(req)['hwid']),
    limits.perAddress.payments,
  );
  const createPayment = async (req: Request, res: Response) => {
    const plan = parsePlan(req.query['mode']);
    const claim = parseDeviceClaim(deviceQuery(req));
    // A plan is bought from the app alone, which gives both.
    if (claim.zone === '') throw new AppError('KS_ZONE');
    const begun = await beginPayment(checkout, { claim, plan, date: readDate(req) });
    switch (begun.kind) {
      case 'pay':
        return res.redirect(303, begun.url);
      case 'paid':
        return res.redirect(303, `/success-${plan.id}?ref=${begun.orderId}`);
      case 'has_plan':
        return res.redirect(303, withDevice(PAGES.plans, claim));
      case 'wait':
        return sendWait(req, res, begun.seconds, checkout.now());
      case 'failed':
        return res.redirect(303, withDevice(PAGES.paymentFailed, claim));
    }
  };
  const buy = [requireUserNavigation(ownOrigin, 'askToPay'), noReferrer, limitPayments, createPayment];
  router.route('/create-payment').get(buy).post(buy).all(onlyGetOrPost);

  router.get('/payment-return', noReferrer, async (req, res) => {
    const order = await createOrdersRepository(checkout.db).find(parseRef(req.query['ref']));
    // A paid order has forgotten its device: its receipt shows the number, and buyers show it to our support.
    const claim = order && checkout.orderCipher.openClaim(order);
    const page = claim ? withDevice(PAGES.paymentFailed, claim) : PAGES.paymentFailed;
    // The provider sends here whoever gives up. Of an order that is settled meanwhile, only the failure is said.
    const isCancelled = claim && OPEN_STATES.includes(order.state);
    res.redirect(303, isCancelled ? `${page}&cancelled` : page);
  });
  router.all('/payment-return', onlyGet);

  router.get('/order-status', async (req, res) => {
    const status = await readOrder(checkout, parseRef(req.query['ref']));
    if (!status) throw new AppError('PAY_ORDER');
    res.json(status);
  });
  router.all('/order-status', onlyRead);

  const limitConsents = limiter.byKey(
    { name: 'order-consent', max: CONSENTS_PER_HOUR, windowMs: HOUR_MS },
    (req) => parse(orderConsentSchema, req.body).ref,
  );
  router.post('/order-consent', jsonBody, limitConsents, async (req, res) => {
    const isSaved = await saveConsent(checkout, parse(orderConsentSchema, req.body));
    if (!isSaved) throw new AppError('PAY_ORDER');
    res.status(204).end();
  });
  router.all('/order-consent', onlyPost);

  router.post('/payment-webhook', rawBody(WEBHOOK_BODY), async (req, res) => {
    const received = await receivePaymentEvent(checkout, await readEvent(checkout, req));
    if (received.kind === 'handled') checkout.mailQueue.wake();
    if (received.kind === 'unfit') checkout.log.error({ why: received.why }, 'a payment needs an operator');
    res.json({ received: true });
  });
  router.all('/payment-webhook', onlyPost);

  return router;
}

async function readEvent({ provider }: Checkout, req: Request) {
  const body: unknown = req.body;
  if (!provider || !Buffer.isBuffer(body)) throw new AppError('PAY_SIGNATURE');

  try {
    return await provider.readEvent(body, req.get('stripe-signature'));
  } catch (error) {
    if (error instanceof BadSignature) throw new AppError('PAY_SIGNATURE', undefined, { cause: error });
    throw error;
  }
}

/** The page tries the same click again by itself. */
function sendWait(req: Request, res: Response, seconds: number, at: number): void {
  const { url, baseUrl } = req;
  const again = new URL(`${baseUrl}${url}`, 'http://site');
  const { hwid, zone } = parseDeviceClaim(deviceQuery(req));
  again.searchParams.set('hwid', hwid);
  again.searchParams.set('zone', zone);
  // Without a time each try would be another click.
  if (readDate(req) === undefined) again.searchParams.set('date', new Date(at).toISOString());

  res.status(503).set('retry-after', String(seconds));
  sendInterstitial(res, {
    ...formatWords(res, interstitialMessages(res).paymentsAreFull, { waitS: seconds }),
    refreshInSeconds: seconds,
    refreshTo: `${again.pathname}${again.search}`,
  });
}

function sendPause(res: Response, waitS: number): void {
  const waitMinutes = Math.ceil(waitS / MINUTE_S);
  sendInterstitial(res, formatWords(res, interstitialMessages(res).tooManyPayments, { waitMinutes }));
}

function parsePlan(mode: unknown): Plan {
  const plan = PLANS.find((candidate) => String(candidate.mode) === mode);
  if (!plan) throw new AppError('PAY_MODE');

  return plan;
}

function parseRef(ref: unknown): string {
  const result = v.safeParse(orderRefSchema, ref);
  if (!result.success) throw new AppError('PAY_ORDER');

  return result.output;
}

function readDate({ query }: Request): string | undefined {
  const result = v.safeParse(dateSchema, query['date']);
  return result.success ? result.output : undefined;
}

/** A page with device and zone, so that a visitor who goes on does it for the same device. */
function withDevice(page: string, { hwid, zone }: DeviceClaim): string {
  const query = new URLSearchParams({ hwid, ...(zone === '' ? {} : { zone }) });
  return `${page}?${query.toString()}`;
}
