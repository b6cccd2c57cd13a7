import type { PlanId } from '@app/contracts/active-plan';
import { PAGES } from '@app/contracts/pages';
import { PLANS } from '@app/contracts/plans';
import { redeemSchema } from '@app/contracts/checkout-requests';
import { Router, type Request, type Response } from 'express';
import { DEVICE_CLAIM_CODES, deviceQuery } from '#api/product/devices/device.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { isForm, jsonOrForm } from '#api/foundation/http/forms.ts';
import { formatWords, interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { parse, singleString } from '#api/foundation/http/request-input.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import { shortenHwid } from '#api/product/licences/links.ts';
import { formatDay } from '#api/product/mail/format-date.ts';
import { redeemCode, type RedeemDeps } from './redeem-code.ts';

/** Requests of one address in a minute. */
const REQUESTS = 600;

interface RedeemRoutesDeps extends RedeemDeps {
  limiter: RateLimiter;
  now: () => number;
  ownOrigin: () => string;
}

export function redeemRoutes({ limiter, now, ownOrigin, ...redeeming }: RedeemRoutesDeps): Router {
  const router = Router();

  const body = jsonOrForm({
    ownOrigin,
    page: PAGES.redeem,
    again(res, typed) {
      const { code, email, device, redeem } = interstitialMessages(res).forms;
      return {
        action: '/api/redeem',
        label: redeem,
        fields: [
          { name: 'code', value: typed('code'), label: code },
          { name: 'email', value: typed('email'), label: email },
          { name: 'hwid', value: typed('hwid') || hwidOfPage(res.req), label: device },
        ],
      };
    },
  });

  // Wrong codes are not counted: 120 random bits are not guessed, but an attacker can send wrong codes from a shared
  // network, whose other users would then be refused.
  router.post('/redeem', body, limiter.byAddress({ name: 'redeem', max: REQUESTS }), async (req, res) => {
    const at = now();
    const redemption = readRedemption(req);
    const result = await redeemCode(redeeming, { ...redemption, at });
    if (result.kind === 'refused') throw new AppError(result.code);

    const { plan } = result;
    if (isForm(req)) return sendRedeemed(res, plan, redemption.hwid);
    res.json({ plan: plan.id, until: plan.until, now: at });
  });
  router.all('/redeem', onlyPost);

  return router;
}

/** The page of a device does not have it in its form, which is the same for all. */
function readRedemption(req: Request) {
  const body = req.body as Record<string, unknown> | undefined;
  const redemption = isForm(req) && !body?.['hwid'] ? { ...body, hwid: hwidOfPage(req) } : body;
  return parse(redeemSchema, redemption, { hwid: DEVICE_CLAIM_CODES.hwid });
}

function hwidOfPage(req: Request): string {
  return singleString(deviceQuery(req)['hwid']) ?? '';
}

/** Says on which device the plan is: the page that sent the form could not show it. */
function sendRedeemed(res: Response, { id, until }: { id: PlanId; until: number }, hwid: string): void {
  const { locale, forms } = interstitialMessages(res);
  const { name } = PLANS.find((plan) => plan.id === id) ?? PLANS[0];
  const filled = { plan: name, device: shortenHwid(hwid), day: formatDay(until, null, locale) };
  sendInterstitial(res, {
    ...formatWords(res, forms.redeemed, filled),
    link: { href: PAGES.successV5, label: forms.downloads },
  });
}
