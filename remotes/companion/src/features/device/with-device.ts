import type { Visitor } from '@app/platform';

/** An address that goes on knowing the device: it carries what the app put into the link that led here. */
export function withDevice(path: string, { hwid, zone }: Pick<Visitor, 'hwid' | 'zone'>): string {
  const query = new URLSearchParams();
  if (hwid) query.set('hwid', hwid);
  if (zone) query.set('zone', zone);

  return query.size > 0 ? `${path}?${query}` : path;
}
