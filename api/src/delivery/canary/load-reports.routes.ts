import { loadReportSchema } from '@app/contracts/load-report';
import { type Request, Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import { loadReports } from '#api/foundation/telemetry/metrics.ts';
import type { CanaryWatch } from './canary-watch.ts';

interface Deps {
  watch: Pick<CanaryWatch, 'report'>;
  limits: { loadReportsPerMinute: number };
  limiter: RateLimiter;
  /** Whether a page has code that was never published. What fails there says nothing of a release. */
  isMixed: (req: Request) => boolean;
}

/** `/load-reports` receives a page's report that a release could not be loaded, or threw while it rendered. */
export function loadReportsRoutes({ watch, limits, limiter, isMixed }: Deps): Router {
  const router = Router();

  const limit = limiter.byNetwork({ name: 'load-reports', max: limits.loadReportsPerMinute });
  router.post('/load-reports', limit, jsonBody, async (req, res) => {
    if (isMixed(req)) return void res.status(204).end();
    const report = parse(loadReportSchema, req.body);
    if (!(await watch.report(req, report))) throw new AppError('request.invalid', 'This release was never published.');
    loadReports.inc({ unit: report.unit, failure: report.failure });
    res.status(204).end();
  });
  router.all('/load-reports', onlyPost);

  return router;
}
