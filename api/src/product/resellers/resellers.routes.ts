import { resellerSchema, type Reseller } from '@app/contracts/resellers';
import { Router } from 'express';
import * as v from 'valibot';
import type { ResellerRow } from '#api/foundation/db/schema.ts';
import { anyObject, parse } from '#api/foundation/http/request-input.ts';
import { jsonBody } from '#api/foundation/http/rate-limit.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import type { ResellersService } from './resellers.service.ts';

/** The route of the list of resellers. */
export function resellersRoutes(resellers: ResellersService): Router {
  const router = Router();

  router.post('/resellers', jsonBody, async (req, res) => {
    parse(anyObject, req.body);
    const rows = await resellers.list();
    res.json(rows.map(presentReseller).filter(isFit));
  });
  router.all('/resellers', onlyPost);

  return router;
}

function presentReseller({ name, logo, description, discord, buyLink, isArceusX, trusted }: ResellerRow): Reseller {
  return { name, logo, description, discord, buyLink, isArceusX: isArceusX === 1, trusted };
}

/** A row whose links are not https is left out: a visitor would be sent there. */
function isFit(reseller: Reseller): boolean {
  return v.is(resellerSchema, reseller);
}
