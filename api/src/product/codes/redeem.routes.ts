import { redeemSchema } from '@app/contracts/checkout-requests';
import { Router, type Request } from 'express';
import { DEVICE_CLAIM_CODES } from '#api/product/devices/device.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { jsonBody, type RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import { redeemCode, type Redeeming } from './redeem-code.ts';

/** Requests of one address in a minute. */
const REQUESTS = 600;

interface RedeemRoutesDeps extends Redeeming {
  limiter: RateLimiter;
  now: () => number;
}

/** The route that redeems a reseller's code. */
export function redeemRoutes({ limiter, now, ...redeeming }: RedeemRoutesDeps): Router {
  const router = Router();

  // Wrong codes are not counted: 120 random bits are not guessed, but an attacker can send wrong codes from a shared
  // network, whose other users would then be refused.
  router.post('/redeem', jsonBody, limiter.byAddress({ name: 'redeem', max: REQUESTS }), async (req, res) => {
    const at = now();
    const result = await redeemCode(redeeming, { ...readRedemption(req), at });
    if (result.kind === 'refused') throw new AppError(result.code);

    res.json({ plan: result.plan.id, until: result.plan.until, now: at });
  });
  router.all('/redeem', onlyPost);

  return router;
}

function readRedemption({ body }: Request) {
  return parse(redeemSchema, body, { hwid: DEVICE_CLAIM_CODES.hwid });
}
