import { Router } from 'express';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { anyObject, parse } from '#api/foundation/http/request-input.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { listLatestPurchases, type OpenBuyer } from './list-purchases.ts';

export function purchasesRoutes(db: Db, openBuyer: OpenBuyer): Router {
  const router = Router();

  router.post('/latest-purchase', jsonBody, async (req, res) => {
    parse(anyObject, req.body);
    res.json(await listLatestPurchases(db, openBuyer));
  });
  router.all('/latest-purchase', onlyPost);

  return router;
}
