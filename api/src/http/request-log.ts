import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

/** One line for each answer. A query is never logged, nor what stands in a path as a secret. */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    const { method } = req;
    const path = maskPath(req.path);

    res.on('close', () => {
      const ms = Math.round(performance.now() - start);
      log.info({ method, path, status: res.statusCode, ms, requestId: requestIdOf(res) }, 'request');
    });
    next();
  };
}

/** Hides tickets and the postback's secret. */
export function maskPath(path: string): string {
  return path.replace(/\/(return|postback)\/[^/]+/i, '/$1/***');
}
