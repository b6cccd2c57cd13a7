import { statsQuerySchema } from '@app/contracts/stats-schemas';
import { Router } from 'express';
import type { Site } from '#api/foundation/module.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { readStats } from './read-stats.ts';
import { readAppOf } from './stats-tokens.ts';

/** Requests of one address in a minute. Wrong tokens are not counted apart: 192 random bits cannot be guessed. */
const REQUESTS = 60;

export function statsRoutes({ db, limiter, now }: Pick<Site, 'db' | 'limiter' | 'now'>): Router {
  const router = Router();

  router.get('/stats/runs', limiter.byAddress({ name: 'stats', max: REQUESTS }), async (req, res) => {
    const at = now();
    const app = await readAppOf({ db, at }, req.get('authorization')).catch((error: unknown) => {
      res.set('www-authenticate', 'Bearer');
      throw error;
    });
    const { days } = parse(statsQuerySchema, req.query);
    res.json(await readStats(db, { app, days }, at));
  });
  router.all('/stats/runs', onlyRead);

  return router;
}
