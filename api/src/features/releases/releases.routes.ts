import { Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { AppError } from '#api/http/app-error.ts';
import { createListedFiles } from './listed-files.ts';
import { refuseToWrite } from '#api/http/only-methods.ts';

const YEAR_IN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Serves the files that releases list, compressed by the build for clients that accept it. Their names carry their
 * hash, so browsers may cache them for a year. While units are edited the names stay the same: then browsers ask again
 * each time, and files that no release lists (hot updates) are served as well.
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
