import { Router } from 'express';
import { onlyRead } from '#api/foundation/http/only-methods.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import vectors from '../../../../samples/vectors/vectors.json' with { type: 'json' };
import { buildDocument } from './document.ts';

/** Serves the reference for app authors and the vectors for their verifiers, as JSON. The page `/developers` is the one for people. */
export function openapiRoutes(baseUrl: () => string, limits: Limits): Router {
  const router = Router();
  // The origin is known only once the server listens.
  let text: string | undefined;

  router.get('/openapi.json', (_req, res) => {
    text ??= JSON.stringify(buildDocument(baseUrl(), limits));
    res.set('cache-control', 'public, max-age=3600').type('json').send(text);
  });
  router.all('/openapi.json', onlyRead);

  router.get('/vectors.json', (_req, res) => {
    res.set('cache-control', 'public, max-age=3600').json(vectors);
  });
  router.all('/vectors.json', onlyRead);

  return router;
}
