import type { RunStats } from '@app/contracts/stats-schemas';
import { callApi, useQuery, type Query } from '@app/platform';
import { useState } from 'react';

/** Loads the figures of so many days. While those of other days are on their way, the last ones stay. */
export function useRunStats(token: string, days: number): Query<RunStats> & { shown: RunStats | undefined } {
  const [last, setLast] = useState<RunStats>();
  const query = useQuery(`${String(days)} ${token}`, async (signal) => {
    const { runStatsSchema } = await import('@app/contracts/stats-schemas');
    const headers = { authorization: `Bearer ${token}` };
    return callApi(runStatsSchema, `/api/stats/runs?days=${String(days)}`, { signal, headers });
  });
  if (query.data && query.data !== last) setLast(query.data);

  return { ...query, shown: query.data ?? (query.status === 'loading' ? last : undefined) };
}
