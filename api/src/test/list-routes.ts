import type { Express } from 'express';

interface Layer {
  route?: { path: string; methods: Record<string, boolean>; stack: { name: string }[] };
  handle: { stack?: Layer[] };
  rawPath: string;
}

/**
 * All registered routes, as `GET /path`, without the handlers that refuse other methods and without the fake
 * advertisers.
 */
export function listRoutes(app: Express): string[] {
  return list(app, ({ methods }, path) =>
    Object.keys(methods)
      .filter((method) => method !== '_all')
      .map((method) => `${method.toUpperCase()} ${path}`),
  ).filter((route) => !/^\w+ \/(dev|v1)\//.test(route));
}

/** The paths of all routes with a handler of this name. */
export function listPathsWith(app: Express, handler: string): string[] {
  return list(app, ({ stack }, path) => (stack.some(({ name }) => name === handler) ? [path] : []));
}

type Describe = (route: NonNullable<Layer['route']>, path: string) => string[];

function list(app: Express, describe: Describe): string[] {
  return [...new Set(listBelow(app.router.stack as unknown as Layer[], '', describe))].sort();
}

function listBelow(layers: readonly Layer[], prefix: string, describe: Describe): string[] {
  return layers.flatMap(({ route, handle, rawPath }) => {
    if (route) return describe(route, prefix + route.path);
    return handle.stack ? listBelow(handle.stack, rawPath === '/' ? prefix : prefix + rawPath, describe) : [];
  });
}
