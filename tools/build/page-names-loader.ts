import type { LoaderContext } from '@rspack/core';

/**
 * Puts the chunk name of each path in place of everything that `routes.ts` says of the pages. The rest, such as titles
 * and descriptions, is for the server, which reads it in release.json.
 */
export default function pageNamesLoader(this: LoaderContext<{ names: Readonly<Record<string, string>> }>): string {
  const lines = Object.entries(this.getOptions().names).map(([path, page]) => [path, { page }]);
  return `export const routes = ${JSON.stringify(Object.fromEntries(lines))};`;
}
