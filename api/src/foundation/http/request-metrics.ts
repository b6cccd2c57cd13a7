import type { ErrorCode } from '@app/contracts/errors';
import type { RequestHandler } from 'express';
import { httpErrors, httpRequests, httpRequestsInProgress } from '#api/foundation/telemetry/metrics.ts';
import { labelRoute } from './route-label.ts';

/** The methods that a route of ours may take. All others have one label. */
const OURS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Counts requests and their times by route, method and kind of status. */
export const measureRequests: RequestHandler = (req, res, next) => {
  const start = performance.now();
  const { method, path } = req;
  httpRequestsInProgress.inc();

  res.on('close', () => {
    httpRequestsInProgress.dec();
    httpRequests.observe(
      {
        method: OURS.includes(method) ? method : 'other',
        route: labelRoute(path, req, res),
        // A visitor who hangs up gets no status.
        status: res.writableFinished ? `${String(Math.floor(res.statusCode / 100))}xx` : 'aborted',
      },
      (performance.now() - start) / 1000,
    );
  });
  next();
};

/** Counts an answer with an error. */
export function countError(code: ErrorCode): void {
  httpErrors.inc({ code });
}
