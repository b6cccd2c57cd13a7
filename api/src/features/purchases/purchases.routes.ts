import type { Purchase } from '@app/contracts/purchases';
import { Router } from 'express';
import type { PurchaseRow } from '#api/db/schema.ts';
import { anyObject } from '#api/http/any-object.ts';
import { jsonBody } from '#api/http/json-body.ts';
import { onlyPost } from '#api/http/only-methods.ts';
import { parse } from '#api/http/parse.ts';
import type { PurchasesService } from './purchases.service.ts';

/** The route of the feed of purchases. */
export function purchasesRoutes(purchases: PurchasesService): Router {
  const router = Router();

  router.post('/latest-purchase', jsonBody, async (req, res) => {
    parse(anyObject, req.body);
    const latest = await purchases.listLatest();
    res.json(latest.map(presentPurchase));
  });
  router.all('/latest-purchase', onlyPost);

  return router;
}

function presentPurchase({ name, boughtAt, location, countryCode }: PurchaseRow): Purchase {
  return { name, timestamp: Math.floor(boughtAt / 1000), location, country_code: countryCode };
}
