import type { Request, Response } from 'express';

/** Where routers with patterns of their own are mounted. */
const MOUNTS = ['', '/api'];

/** The label of everything else: addresses that nothing answers, icons, and what leads to the home page. */
const OTHER = '(other)';

/** Notes which page of the site a response brings, by its path in the release. */
export function notePage(res: Response, path: string): void {
  res.locals['page'] = path;
}

/**
 * Names the route of a request for the metrics: the path of a page, or the pattern of a route. There are as many labels
 * as routes and published pages, whatever visitors ask for.
 * @param path the path of the request, as it was before the routers took parts of it
 */
export function labelRoute(path: string, req: Request, res: Response): string {
  const page: unknown = res.locals['page'];
  if (typeof page === 'string') return page;
  if (/^\/releases\/./i.test(path)) return '/releases/*';

  const pattern = patternOf(req);
  if (pattern === undefined) return OTHER;
  const label = completePattern(path, pattern);
  const mount = label.slice(0, label.length - pattern.length).toLowerCase();
  return MOUNTS.includes(mount) ? `${mount}${pattern}` : OTHER;
}

/** The pattern of the route that took a request, within its router. */
export function patternOf(req: Request): string | undefined {
  const { path: pattern } = (req.route ?? {}) as { path?: unknown };
  return typeof pattern === 'string' ? pattern : undefined;
}

/**
 * Replaces the end of a path by the route's pattern. A router's pattern does not include the path where the router is
 * mounted.
 */
export function completePattern(path: string, pattern: string): string {
  const asked = path.replace(/\/$/, '').split('/');
  const own = pattern.split('/').slice(1);
  return [...asked.slice(0, asked.length - own.length), ...own].join('/');
}
