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
  for (const [name, value] of carriedIn(search)) {
    if (!next.has(name)) next.set(name, value);
  }
  return path + `?${next}`.replace(/^\?$/, '') + hash;
}

let read: { search: string; carried: ReturnType<typeof listDeviceParams> } = { search: '', carried: [] };

/** All links of a page ask with the same query, so it is read once. */
function carriedIn(search: string): typeof read.carried {
  if (read.search !== search) {
    read = { search, carried: listDeviceParams(new URLSearchParams(search)) };
  }
  return read.carried;
}
