import { fieldTimingsSchema } from '@app/contracts/field-timings';
import { Router } from 'express';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { engineOf, type FieldCounts } from './field-timings.ts';

/** What a network may tell in a minute. */
const MOST_TOLD = 20;

interface Deps {
  timings: Pick<FieldCounts, 'note'>;
  limiter: RateLimiter;
}

/** `/field-timings` is told how fast a page was in a browser. Its answer is the same whether that counts or not. */
export function fieldTimingsRoutes({ timings, limiter }: Deps): Router {
  const router = Router();

  const limit = limiter.byNetwork({ name: 'field-timings', max: MOST_TOLD });
  router.post('/field-timings', limit, jsonBody, (req, res) => {
    timings.note(parse(fieldTimingsSchema, req.body), engineOf(req.get('user-agent')));
    res.status(204).end();
  });
  router.all('/field-timings', onlyPost);

  return router;
}
