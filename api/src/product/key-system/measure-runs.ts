import { APP_IDS } from '@app/contracts/key-system';
import type { Db } from '#api/foundation/db/schema.ts';
import type { CompletedRun } from './runs.repository.ts';
import { createRepositories } from './transact.ts';

const MINUTE_MS = 60_000;

/** How many of an app's newest completed runs are looked at. */
const NEWEST = 500;

/** With fewer runs that count, nothing is said. */
const FEWEST = 100;

/**
 * How many runs of one network count on one day: a network has another pseudonym each day. Once that is forgotten, as
 * many runs of one device count. So one visitor with many runs hardly moves the median.
 */
const MOST_OF_ONE = 5;

/**
 * Measures how long runs of each app usually take, and notes it for the pages. Several servers may do so at once.
 * @returns for how many apps that has changed
 */
export async function measureRuns({ db, now }: { db: Db; now: () => number }): Promise<number> {
  const { apps, runs } = createRepositories(db);
  let changed = 0;
  for (const appId of APP_IDS)
    if (await apps.noteUsualRun(appId, usualRun(await runs.listCompleted(appId, now(), NEWEST)))) changed++;

  return changed;
}

/** The median of the runs that count, in milliseconds but rounded to minutes; null when too few do. */
function usualRun(completed: readonly CompletedRun[]): number | null {
  const counts = new Map<string, number>();
  const counted = completed.filter(({ ipHmac, deviceId, tookMs }) => {
    // The clock was set back in between.
    if (tookMs < 0) return false;

    const of = ipHmac ?? deviceId;
    const count = (counts.get(of) ?? 0) + 1;
    counts.set(of, count);
    return count <= MOST_OF_ONE;
  });
  if (counted.length < FEWEST) return null;

  const sorted = counted.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  // Rounded, because pages say minutes, and so that the value is seldom written.
  return Math.round(median / MINUTE_MS) * MINUTE_MS;
}
