import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';
import { completePattern, patternOf } from './route-label.ts';

const FIRST_ERROR_OR_REDIRECT = 300;
const NOT_MODIFIED = 304;
const READS = ['GET', 'HEAD'];

/** The logged beginning of an unknown path: too short for a ticket. */
const BEGINNING = /^\/[\w.-]{0,24}/;

/** Logs one line for each response. It logs no query and no path parameter. */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    const { method, path } = req;

    res.on('close', () => {
      const ms = Math.round(performance.now() - start);
      log.info(
        { method, path: namePath(path, req, res), status: res.statusCode, ms, requestId: requestIdOf(res) },
        'request',
      );
    });
    next();
  };
}

/**
 * The part of a path that may be logged: the pattern of its route; the whole path of a page or file that was sent;
 * otherwise only its beginning, because a mistyped link may contain anything. OPTIONS is answered for every path.
 */
function namePath(path: string, req: Request, res: Response): string {
  const pattern = patternOf(req);
  if (pattern !== undefined) return completePattern(path, pattern);

  const isFound =
    READS.includes(req.method) &&
    res.headersSent &&
    (res.statusCode < FIRST_ERROR_OR_REDIRECT || res.statusCode === NOT_MODIFIED);
  return isFound ? path : (BEGINNING.exec(path)?.[0] ?? '');
}
