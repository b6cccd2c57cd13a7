import { Router } from 'express';
import { singleString } from '#api/foundation/http/request-input.ts';
import { parseReturnUrl, type SandboxDeps, sendVisitPage } from './visit-page.ts';

/** Plays Rinku: a short link for a long one. The only proof is that the visitor reached its destination. */
export function fakeRinku({ baseUrl, countdownMs, apiKey }: SandboxDeps & { apiKey: string }): Router {
  const router = Router();
  const destinations = new Map<string, string>();

  router.get('/api', (req, res) => {
    const alias = singleString(req.query['alias']);
    const url = singleString(req.query['url']);
    if (req.query['api'] !== apiKey || !alias || !url)
      return void res.json({ status: 'error', message: 'Invalid request' });

    destinations.set(alias, url);
    res.json({ status: 'success', shortenedUrl: `${baseUrl()}/dev/advertiser/rinku/go/${alias}` });
  });

  router.get('/go/:alias', async (req, res) => {
    const { alias } = req.params;
    sendVisitPage(res, {
      id: 'rinku',
      countdownMs: await countdownMs('rinku'),
      fields: { alias },
      misbehaviours: ['early'],
    });
  });

  router.get('/finish', (req, res) => {
    res.redirect(302, parseReturnUrl(destinations.get(singleString(req.query['alias']) ?? ''), baseUrl()).href);
  });

  return router;
}
