import { Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import { findContent } from './content-files.ts';

/**
 * Serves the content folder twice: as plain files, and in the format of a repository's contents API. Pages ask the
 * second when the plain file cannot be loaded.
 */
export function contentRoutes(folder: string): Router {
  const router = Router();

  async function read(name: string): Promise<Buffer> {
    const content = await findContent(folder, name);
    if (!content) throw new AppError('route.not_found', 'There is no such content.');

    return content;
  }

  router.use(['/content', '/content-api'], (_req, res, next) => {
    res.set('cache-control', 'no-cache');
    next();
  });
  router.get('/content/:file', async (req, res) => {
    const content = await read(req.params.file);
    res.type('text/plain').send(content);
  });
  router.get('/content-api/:file', async (req, res) => {
    const content = await read(req.params.file);
    res.json({ content: content.toString('base64'), encoding: 'base64' });
  });
  router.all(['/content/:file', '/content-api/:file'], onlyRead);
  router.use(['/content', '/content-api'], () => {
    throw new AppError('route.not_found', 'There is no such content.');
  });

  return router;
}
