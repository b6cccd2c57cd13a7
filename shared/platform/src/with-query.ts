/**
 * Adds a query to a path. It leaves out names whose value is missing or empty.
 * @param path without a query
 */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const named = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (named.length === 0) return path;

  return `${path}?${new URLSearchParams(named.map(([name, value]) => [name, String(value)]))}`;
}
