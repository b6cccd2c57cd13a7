import { resellerSchema, type Reseller } from '@app/contracts/resellers';
import { Router } from 'express';
import * as v from 'valibot';
import type { Db } from '#api/foundation/db/schema.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { anyObject, parse } from '#api/foundation/http/request-input.ts';
import { interstitialMessages, sendInterstitial } from '#api/foundation/http/interstitial.ts';
import { onlyGetOrPost } from '#api/foundation/http/only-methods.ts';
import { presentReseller } from './change-resellers.ts';
import { createResellersRepository } from './resellers.repository.ts';

export function resellersRoutes(db: Db): Router {
  const router = Router();

  /** A row whose links are not https is left out: a visitor would be sent there. */
  async function list(): Promise<Reseller[]> {
    const rows = await createResellersRepository(db).list();
    return rows.flatMap((row) => {
      const shown = v.safeParse(resellerSchema, presentReseller(row));
      return shown.success ? [shown.output] : [];
    });
  }

  router.post('/resellers', jsonBody, async (req, res) => {
    parse(anyObject, req.body);
    res.json(await list());
  });
  // The list as a page, for browsers without JavaScript.
  router.get('/resellers', async (_req, res) => {
    const { none, ...words } = interstitialMessages(res).resellers;
    const resellers = await list();
    sendInterstitial(res, {
      ...words,
      ...(resellers.length === 0 && { text: none }),
      links: resellers.map(({ name, buyLink }) => ({ href: buyLink, label: name })),
    });
  });
  router.all('/resellers', onlyGetOrPost);

  return router;
}
