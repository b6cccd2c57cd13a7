import { listDeviceParams } from '@app/contracts/device-params';

/**
 * Adds the device of one address to another one of the site.
 * @param to path, query or anchor of a link; addresses of other sites stay as they are
 * @param search the query of the page with the link
 * @returns `to` with the parameters of the device; parameters that it already has stay
 */
export function withDevice(to: string, search: string): string {
  if (search === '') return to;

  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(to) ?? [];
  const isOurs = path === '' || (path.startsWith('/') && !path.startsWith('//'));
  if (!isOurs) return to;

  const next = new URLSearchParams(query);
  for (const [name, value] of deviceParamsOf(search)) {
    if (!next.has(name)) next.set(name, value);
  }
  return path + `?${next}`.replace(/^\?$/, '') + hash;
}

let lastQuery: { search: string; params: ReturnType<typeof listDeviceParams> } = { search: '', params: [] };

/** All links of a page ask with the same query, so it is read once. */
function deviceParamsOf(search: string): typeof lastQuery.params {
  if (lastQuery.search !== search) lastQuery = { search, params: listDeviceParams(new URLSearchParams(search)) };
  return lastQuery.params;
}

/** Adds a query to a path without one. It leaves out names whose value is missing or empty. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const named = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (named.length === 0) return path;

  return `${path}?${new URLSearchParams(named.map(([name, value]) => [name, String(value)]))}`;
}

/** The fragments that pages took out of their addresses, by path: what is in them is for no history. */
const takenFragments = new Map<string, string>();

/** Notes the fragment that a page takes out of its address, in memory only. */
export function noteFragment(pathname: string, fragment: string): void {
  takenFragments.set(pathname, fragment);
}

/** The fragment with which a page was opened, for a page load that stays there; empty when there was none. */
export function fragmentOf({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): string {
  return hash || (takenFragments.get(pathname) ?? '');
}
