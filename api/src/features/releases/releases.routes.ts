import { Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { AppError } from '#api/http/app-error.ts';
import { createListedFiles } from './listed-files.ts';
import { refuseToWrite } from '#api/http/only-methods.ts';

const YEAR_IN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * The files that releases list, each as the build compressed it, for whoever accepts that.
 * Their names carry their hash, so a browser may keep them for ever; while units are edited the names stay, so it asks
 * again, also for the differences that no release lists.
 */
export function releasesRoutes(folder: string, { areEdited } = { areEdited: false }): Router {
  const router = Router();
  const isListed = createListedFiles(folder);

  router.use('/releases', refuseToWrite, async (req, _res, next) => {
    if (!areEdited && !(await isListed(req.path))) throw new AppError('route.not_found', 'No release has this file.');
    next();
  });
  router.use(
    '/releases',
    expressStaticGzip(folder, {
      enableBrotli: true,
      orderPreference: ['br', 'gzip'],
      index: false,
      serveStatic: { immutable: !areEdited, maxAge: areEdited ? 0 : YEAR_IN_MS, redirect: false },
    }),
  );
  router.use('/releases', () => {
    throw new AppError('route.not_found', 'The release has lost this file.');
  });

  return router;
}
