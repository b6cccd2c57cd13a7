import { useVisitor } from '@app/platform';

/** What a link to plans or keys has to carry of the visitor: `?hwid=…&zone=…`, or nothing. */
export function useDeviceQuery(): string {
  const { hwid, zone } = useVisitor();
  const query = new URLSearchParams({ ...(hwid && { hwid }), ...(zone && { zone }) });

  return query.size > 0 ? `?${query.toString()}` : '';
}
