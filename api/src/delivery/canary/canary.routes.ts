import { vitalsReportSchema, loadReportSchema } from '@app/contracts/page-reports';
import { type Request, Router } from 'express';
import { AppError } from '#api/foundation/http/app-error.ts';
import { jsonBody } from '#api/foundation/http/json-body.ts';
import { onlyPost } from '#api/foundation/http/only-methods.ts';
import type { RateLimiter } from '#api/foundation/http/rate-limit.ts';
import { parse } from '#api/foundation/http/request-input.ts';
import { loadReports } from '#api/foundation/telemetry/metrics.ts';
import type { CanaryWatch } from './canary-watch.ts';
import { engineOf, type WebVitals } from './web-vitals.ts';

const MAX_TIMINGS = 20;

interface Deps {
  watch: Pick<CanaryWatch, 'report'>;
  timings: Pick<WebVitals, 'note'>;
  loadReportsPerMinute: number;
  limiter: RateLimiter;
  /** Whether a page has code that was never published. What fails there says nothing of a release. */
  isMixed: (req: Request) => boolean;
}

/** Reports of releases that failed in a page, and of how fast pages were. All that are valid get the same answer. */
export function canaryRoutes({ watch, timings, loadReportsPerMinute, limiter, isMixed }: Deps): Router {
  const router = Router();
  const limitReports = limiter.byNetwork({ name: 'load-reports', max: loadReportsPerMinute });
  const limitTimings = limiter.byNetwork({ name: 'field-timings', max: MAX_TIMINGS });

  router.post('/load-reports', limitReports, jsonBody, async (req, res) => {
    if (isMixed(req)) return void res.status(204).end();
    const report = parse(loadReportSchema, req.body);
    if (!(await watch.report(req, report))) throw new AppError('request.invalid', 'This release was never published.');
    loadReports.inc({ unit: report.unit, failure: report.failure });
    res.status(204).end();
  });
  router.post('/field-timings', limitTimings, jsonBody, (req, res) => {
    timings.note(parse(vitalsReportSchema, req.body), engineOf(req.get('user-agent')));
    res.status(204).end();
  });
  router.all(['/load-reports', '/field-timings'], onlyPost);

  return router;
}
