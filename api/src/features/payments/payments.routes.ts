import { PAGES } from '@app/contracts/pages';
import { PLANS, type Plan } from '@app/contracts/plans';
import { Router, type Response } from 'express';
import { parseHwid, parseDeviceClaim, type DeviceClaim } from '#api/features/devices/device-claim.ts';
import { AppError } from '#api/http/app-error.ts';
import { meantNavigation } from '#api/http/fetch-metadata.ts';
import { noReferrer } from '#api/http/headers.ts';
import { sendInterstitial } from '#api/http/interstitial.ts';
import { onlyGet } from '#api/http/only-methods.ts';
import type { RateLimiter } from '#api/http/rate-limit.ts';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_S = 60;

const QUESTION = {
  title: 'Continue to payment?',
  text: 'Another site sent you here. If you meant to buy a plan, continue.',
};

interface PaymentsRoutesDeps {
  ownHost: () => string;
  /** Payments that one address may begin for one device, and for all devices together. */
  limits: { paymentsPerHour: number; perAddress: { payments: number } };
  limiter: RateLimiter;
}

/**
 * The route that begins a payment. No payment can be taken yet, so a valid purchase ends on the page for failed
 * payments.
 */
export function paymentsRoutes({ ownHost, limits, limiter }: PaymentsRoutesDeps): Router {
  const router = Router();

  const limit = { name: 'payment', max: limits.paymentsPerHour, windowMs: HOUR_MS, refuse: sendPause };
  const limitPayments = limiter.byDevice(limit, (req) => parseHwid(req.query['hwid']), limits.perAddress.payments);
  router.get('/create-payment', meantNavigation(ownHost, QUESTION), noReferrer, limitPayments, (req, res) => {
    parsePlan(req.query['mode']);
    res.redirect(303, failedAddress(parseDeviceClaim(req.query)));
  });
  router.all('/create-payment', onlyGet);

  return router;
}

function sendPause(res: Response, waitS: number): void {
  sendInterstitial(res, {
    title: 'One moment',
    text: `A payment was begun many times from here. You can try again in ${Math.ceil(waitS / MINUTE_S)} minutes.`,
  });
}

function parsePlan(mode: unknown): Plan {
  const plan = PLANS.find((candidate) => String(candidate.mode) === mode);
  if (!plan) throw new AppError('PAY_MODE');

  return plan;
}

/** The address keeps device and zone, so that Retry leads back to the same plans. */
function failedAddress({ hwid, zone }: DeviceClaim): string {
  const query = new URLSearchParams({ hwid, ...(zone === '' ? {} : { zone }) });
  return `${PAGES.paymentFailed}?${query.toString()}`;
}
