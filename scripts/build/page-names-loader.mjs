/**
 * Puts the chunk name of each path in place of everything that `routes.ts` says of the pages. The rest, such as titles
 * and descriptions, is for the server, which reads it in release.json.
 * @this {import('@rspack/core').LoaderContext<{ names: Readonly<Record<string, string>> }>}
 */
export default function pageNamesLoader() {
  const lines = Object.entries(this.getOptions().names).map(([path, page]) => [path, { page }]);
  return `export const routes = ${JSON.stringify(Object.fromEntries(lines))};`;
}
