import { Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { AppError } from '#api/http/app-error.ts';
import { refuseToWrite } from '#api/http/only-methods.ts';

const YEAR_IN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * The files of releases, each as the build compressed it, for whoever accepts that.
 * Their names carry their hash, so a browser may keep them for ever.
 */
export function releasesRoutes(folder: string): Router {
  const router = Router();

  router.use(
    '/releases',
    expressStaticGzip(folder, {
      enableBrotli: true,
      orderPreference: ['br', 'gzip'],
      index: false,
      serveStatic: { immutable: true, maxAge: YEAR_IN_MS, redirect: false },
    }),
  );
  router.use('/releases', refuseToWrite);
  router.use('/releases', () => {
    throw new AppError('route.not_found', 'No release has this file.');
  });

  return router;
}
