import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

/** One line for each answer. A query is never logged; what is secret in a path the log itself strikes out. */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    const { method, path } = req;

    res.on('close', () => {
      const ms = Math.round(performance.now() - start);
      log.info({ method, path, status: res.statusCode, ms, requestId: requestIdOf(res) }, 'request');
    });
    next();
  };
}
