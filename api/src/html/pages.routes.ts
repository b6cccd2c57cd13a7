import type { SiteSettings } from '@app/contracts/site-settings';
import { Router } from 'express';
import type { Releases } from '#api/features/releases/read-releases.ts';
import { findRoute } from '#api/features/releases/resolution.ts';
import { onlyRead } from '#api/http/only-methods.ts';
import { composePage } from './compose.ts';

/** Paths that never answer with a page: what is unknown below them is a 404. */
const NOT_PAGES = /^\/(api|releases|dev|\.well-known)(\/|$)|\.[A-Za-z0-9]+$/;

/** Every page of every unit; an unknown page goes to the home page, an unknown file does not. */
export function pagesRoutes(releases: Releases, settings: SiteSettings, baseUrl: () => string): Router {
  const router = Router();

  router.get(/.*/, (req, res, next) => {
    if (NOT_PAGES.test(req.path)) return next();

    const found = findRoute(releases, req.path);
    if (!found) return res.redirect(302, '/index');

    res
      .set('cache-control', found.unit === 'key-system' ? 'no-store' : 'no-cache')
      .type('html')
      .send(composePage({ releases, ...found, pathAndQuery: req.url, settings, baseUrl: baseUrl() }));
  });

  router.all(/.*/, (req, res, next) => (findRoute(releases, req.path) ? onlyRead(req, res, next) : next()));

  return router;
}
