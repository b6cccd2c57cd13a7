import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { ErrorCode } from '@app/contracts/errors';
import { forRequest, isRequestId } from '#api/foundation/telemetry/log.ts';
import { httpErrors, httpRequests, httpRequestsInProgress } from '#api/foundation/telemetry/metrics.ts';

/**
 * Gives each request an id, which error answers, the log and the statements of PostgreSQL name. Behind a proxy of ours it
 * is the one in `X-Request-Id`, if that is well-formed; what a visitor's own header says counts for nothing.
 * @param trustedHops how many of our proxies are in front of the server
 */
export function assignRequestId(trustedHops: number): RequestHandler {
  return (req, res, next) => {
    const given = trustedHops > 0 ? (req.get('x-request-id') ?? '') : '';
    const id = isRequestId(given) ? given : randomUUID();
    res.locals['requestId'] = id;
    forRequest(id, next);
  };
}

export function requestIdOf(res: Response): string {
  return String(res.locals['requestId']);
}

const FIRST_ERROR_OR_REDIRECT = 300;
const NOT_MODIFIED = 304;
const READ_METHODS = ['GET', 'HEAD'];

/** Whole and a word: neither a device id nor a part of a secret. */
const FIRST_SEGMENT_PATTERN = /^\/[a-z]{0,12}(?![^/])/;

/**
 * Logs one line for each response, without its query and path parameters, and counts requests and their times by route,
 * method and kind of status.
 */
export function observeRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    const { method, path } = req;
    httpRequestsInProgress.inc();

    res.on('close', () => {
      const heldAt: unknown = res.locals['heldAt'];
      const ms = (typeof heldAt === 'number' ? heldAt : performance.now()) - start;
      httpRequestsInProgress.dec();
      const labels = {
        method: KNOWN_METHODS.includes(method) ? method : 'other',
        route: labelRoute(path, req, res),
        // A visitor who hangs up gets no status.
        status: res.writableFinished ? `${Math.floor(res.statusCode / 100)}xx` : 'aborted',
      };
      httpRequests.observe(labels, ms / 1000);
      const line = { method, path: namePath(path, req, res), status: res.statusCode, ms: Math.round(ms) };
      log.info({ ...line, requestId: requestIdOf(res) }, 'request');
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
    READ_METHODS.includes(req.method) &&
    res.headersSent &&
    (res.statusCode < FIRST_ERROR_OR_REDIRECT || res.statusCode === NOT_MODIFIED);
  return isFound ? path : (FIRST_SEGMENT_PATTERN.exec(path)?.[0] ?? '');
}

/** The methods that a route of ours may take. All others have one label. */
const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function countError(code: ErrorCode): void {
  httpErrors.inc({ code });
}

/** Where routers with patterns of their own are mounted. */
const MOUNT_PATHS = ['', '/api'];

/** The label of everything else: addresses that nothing answers, icons, and what leads to the home page. */
const OTHER_ROUTE = '(other)';

/** Notes that a request is held from now on, as its client prefers. The server is no slower for that. */
export function noteHold(res: Response): void {
  res.locals['heldAt'] = performance.now();
}

/** Notes which page of the site a response brings, by its path in the release. */
export function notePage(res: Response, path: string): void {
  res.locals['page'] = path;
}

/**
 * Names the route of a request for the metrics: the path of a page, or the pattern of a route. There are as many labels
 * as routes and published pages, whatever visitors ask for.
 * @param path the path of the request, as it was before the routers took parts of it
 */
function labelRoute(path: string, req: Request, res: Response): string {
  const page: unknown = res.locals['page'];
  if (typeof page === 'string') return page;
  if (/^\/releases\/./i.test(path)) return '/releases/*';

  const pattern = patternOf(req);
  if (pattern === undefined) return OTHER_ROUTE;
  const label = completePattern(path, pattern);
  const mount = label.slice(0, label.length - pattern.length).toLowerCase();
  return MOUNT_PATHS.includes(mount) ? `${mount}${pattern}` : OTHER_ROUTE;
}

/** The pattern of the route that took a request, within its router. */
function patternOf(req: Request): string | undefined {
  const { path: pattern } = (req.route ?? {}) as { path?: unknown };
  return typeof pattern === 'string' ? pattern : undefined;
}

/**
 * Replaces the end of a path by the route's pattern. A router's pattern does not include the path where the router is
 * mounted.
 */
function completePattern(path: string, pattern: string): string {
  const asked = path.replace(/\/$/, '').split('/');
  const own = pattern.split('/').slice(1);
  return [...asked.slice(0, asked.length - own.length), ...own].join('/');
}
