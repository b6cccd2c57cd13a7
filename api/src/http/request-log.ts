import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

const FIRST_ERROR_OR_REDIRECT = 300;
const NOT_MODIFIED = 304;

/** What an unknown address begins with: too little of it for a ticket. */
const BEGINNING = /^\/[\w.-]{0,24}/;

/** One line for each answer. A query is never logged, nor what stands in a path for somebody. */
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
 * As much of a path as is the site's own: the pattern of its route; all of it, where a page or a file has this name;
 * otherwise how it begins, for links are written wrong in ways that nobody foresees.
 */
function namePath(path: string, req: Request, res: Response): string {
  const { path: pattern } = (req.route ?? {}) as { path?: unknown };
  if (typeof pattern === 'string') return withPattern(path, pattern);

  const isFound = res.headersSent && (res.statusCode < FIRST_ERROR_OR_REDIRECT || res.statusCode === NOT_MODIFIED);
  return isFound ? path : (BEGINNING.exec(path)?.[0] ?? '');
}

/** A router knows no more than the end of the path: what is before its pattern is where it is mounted. */
function withPattern(path: string, pattern: string): string {
  const asked = path.replace(/\/$/, '').split('/');
  const own = pattern.split('/').slice(1);
  return [...asked.slice(0, asked.length - own.length), ...own].join('/');
}
