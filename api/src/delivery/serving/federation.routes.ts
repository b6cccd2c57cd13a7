import { Router } from 'express';
import { noStore } from '#api/foundation/http/headers.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import { singleString } from '#api/foundation/http/request-input.ts';
import { chooseLanguage, presentResolution, type SelectReleases } from './release-selection.ts';

/** What an open page would get now. `for` is its path and query, so that the answer is that of its next load. */
export function federationRoutes({ select }: { select: SelectReleases }): Router {
  const router = Router();

  router.get('/federation/resolution', noStore, async (req, res) => {
    const page = singleString(req.query['for']) ?? req.url;
    const selection = await select(req, res, page);
    res.json(presentResolution(selection, undefined, chooseLanguage(req, selection, page)));
  });
  router.all('/federation/resolution', onlyRead);

  return router;
}
