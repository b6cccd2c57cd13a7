import { Router } from 'express';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { anyObject, parse } from '#api/foundation/http/request-input.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import type { PurchasesService } from './purchases.service.ts';

/** The route of the feed of purchases. */
export function purchasesRoutes(purchases: PurchasesService): Router {
  const router = Router();

  router.post('/latest-purchase', jsonBody, async (req, res) => {
    parse(anyObject, req.body);
    res.json(await purchases.listLatest());
  });
  router.all('/latest-purchase', onlyPost);

  return router;
}
