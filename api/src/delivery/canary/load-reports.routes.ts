import { loadReportSchema } from '@app/contracts/load-report';
import { Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { jsonBody, type RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import { loadReports } from '#api/foundation/telemetry/metrics.ts';
import type { CanaryWatch } from './canary-watch.ts';

interface Deps {
  watch: Pick<CanaryWatch, 'report'>;
  limits: { loadReportsPerMinute: number };
  limiter: RateLimiter;
}

/** `/load-reports` receives a page's report that a release could not be loaded, or threw while it rendered. */
export function loadReportsRoutes({ watch, limits, limiter }: Deps): Router {
  const router = Router();

  const limit = limiter.byNetwork({ name: 'load-reports', max: limits.loadReportsPerMinute });
  router.post('/load-reports', limit, jsonBody, async (req, res) => {
    const report = parse(loadReportSchema, req.body);
    if (!(await watch.report(req, report))) throw new AppError('request.invalid', 'This release was never published.');
    loadReports.inc({ unit: report.unit, failure: report.failure });
    res.status(204).end();
  });
  router.all('/load-reports', onlyPost);

  return router;
}
