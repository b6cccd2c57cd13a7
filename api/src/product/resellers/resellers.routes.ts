import { resellerSchema, type Reseller } from '@app/contracts/resellers';
import { Router } from 'express';
import * as v from 'valibot';
import type { ResellerRow } from '#api/foundation/db/schema.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { anyObject, parse } from '#api/foundation/http/request-input.ts';
import { interstitialWords, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { onlyGetOrPost } from '#api/foundation/http/only-methods.ts';
import type { ResellersService } from './resellers.service.ts';

/** The route of the list of resellers. */
export function resellersRoutes(resellers: ResellersService): Router {
  const router = Router();

  router.post('/resellers', jsonBody, async (req, res) => {
    parse(anyObject, req.body);
    const rows = await resellers.list();
    res.json(rows.map(presentReseller).filter(isFit));
  });
  // The list as a page, for browsers without JavaScript.
  router.get('/resellers', async (_req, res) => {
    const { none, ...words } = interstitialWords(res).resellers;
    const list = (await resellers.list()).map(presentReseller).filter(isFit);
    sendInterstitial(res, {
      ...words,
      ...(list.length === 0 && { text: none }),
      links: list.map(({ name, buyLink }) => ({ href: buyLink, label: name })),
    });
  });
  router.all('/resellers', onlyGetOrPost);

  return router;
}

function presentReseller({ name, logo, description, discord, buyLink, isArceusX, trusted }: ResellerRow): Reseller {
  return { name, logo, description, discord, buyLink, isArceusX: isArceusX === 1, trusted };
}

/** A row whose links are not https is left out: a visitor would be sent there. */
function isFit(reseller: Reseller): boolean {
  return v.is(resellerSchema, reseller);
}
