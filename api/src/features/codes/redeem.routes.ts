import { redeemSchema } from '@app/contracts/till-requests';
import { Router, type Request } from 'express';
import { DEVICE_CLAIM_CODES } from '#api/features/devices/device-claim.ts';
import { AppError } from '#api/http/app-error.ts';
import { jsonBody } from '#api/http/json-body.ts';
import { onlyPost } from '#api/http/only-methods.ts';
import { parse } from '#api/http/parse.ts';
import type { RateLimiter } from '#api/http/rate-limit.ts';
import { redeemCode, type Redeeming } from './redeem-code.ts';

const HOUR_MS = 60 * 60 * 1000;

interface RedeemRoutesDeps extends Redeeming {
  /** Wrong codes in an hour from one network: for one device, and for all together. */
  limits: { wrongCodesPerHour: number; networkWrongCodesPerHour: number };
  limiter: RateLimiter;
  now: () => number;
}

/** The route that redeems a reseller's code. */
export function redeemRoutes({ limits, limiter, now, ...redeeming }: RedeemRoutesDeps): Router {
  const router = Router();

  const wrongCodes = limiter.byFailures(
    { name: 'wrong-code', max: limits.wrongCodesPerHour, windowMs: HOUR_MS },
    // Only of the same network: a stranger who knows the device must not keep its owner from redeeming.
    (req, network) => [`${network} ${readRedemption(req).hwid}`],
  );
  // A carrier has many people behind one network, so one of them must not keep the others out.
  const wrongCodesOfNetwork = limiter.byFailures(
    { name: 'wrong-code-network', max: limits.networkWrongCodesPerHour, windowMs: HOUR_MS },
    (_req, network) => [network],
  );
  router.post('/redeem', jsonBody, wrongCodes.refuse, wrongCodesOfNetwork.refuse, async (req, res) => {
    const at = now();
    const result = await redeemCode(redeeming, { ...readRedemption(req), at });
    if (result.kind === 'redeemed') return res.json({ plan: result.plan.id, until: result.plan.until, now: at });

    if (result.code === 'RDM_CODE') for (const wrong of [wrongCodes, wrongCodesOfNetwork]) wrong.count(req);
    throw new AppError(result.code);
  });
  router.all('/redeem', onlyPost);

  return router;
}

function readRedemption({ body }: Request) {
  return parse(redeemSchema, body, { hwid: DEVICE_CLAIM_CODES.hwid });
}
