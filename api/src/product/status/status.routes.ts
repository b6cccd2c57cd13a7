import { Router } from 'express';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import type { Site } from '#api/foundation/module.ts';
import type { AdvertisersService } from '#api/product/advertisers/advertisers.service.ts';
import { readStatus } from './read-status.ts';

interface StatusRoutesDeps extends Pick<Site, 'db' | 'limiter' | 'now'> {
  advertisers: Pick<AdvertisersService, 'present'>;
  maxPerMinute: number;
}

export function statusRoutes({ db, limiter, now, advertisers, maxPerMinute }: StatusRoutesDeps): Router {
  const router = Router();

  router.get('/status', limiter.byAddress({ name: 'status', max: maxPerMinute }), async (_req, res) => {
    res.set('cache-control', 'public, max-age=60').json(await readStatus({ db, advertisers }, now()));
  });
  router.all('/status', onlyRead);

  return router;
}
