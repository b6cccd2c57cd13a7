import type { Express } from 'express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  handle: { stack?: Layer[] };
  rawPath: string;
}

/**
 * All registered routes, as `GET /path`, without the handlers that refuse other methods and without the fake
 * advertisers.
 */
export function listRoutes(app: Express): string[] {
  const routes = listBelow(app.router.stack as unknown as Layer[], '');
  return [...new Set(routes)].filter((route) => !/^\w+ \/(dev|v1)\//.test(route)).sort();
}

function listBelow(layers: readonly Layer[], prefix: string): string[] {
  return layers.flatMap(({ route, handle, rawPath }) => {
    if (route)
      return Object.keys(route.methods)
        .filter((method) => method !== '_all')
        .map((method) => `${method.toUpperCase()} ${prefix}${route.path}`);
    return handle.stack ? listBelow(handle.stack, rawPath === '/' ? prefix : prefix + rawPath) : [];
  });
}
