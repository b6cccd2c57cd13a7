import { listCarried } from '@app/contracts/carried';

/**
 * An address within the site that goes on knowing the visitor's device.
 * @param to path, query or anchor, as links have it; an address of another site stays as it is, and so does what it says itself
 * @param search the query of the page that leads there
 */
export function withDevice(to: string, search: string): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(to) ?? [];
  const isOurs = path === '' || (path.startsWith('/') && !path.startsWith('//'));
  if (!isOurs) return to;

  const known = new URLSearchParams(search);
  const next = new URLSearchParams(query);
  for (const [name, value] of listCarried((name) => known.get(name))) {
    if (!next.has(name)) next.set(name, value);
  }
  return path + (next.size > 0 ? `?${next}` : '') + hash;
}
