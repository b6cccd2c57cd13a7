import { COMPARED_TIMINGS, type ComparedTiming } from '@app/contracts/page-reports';
import type { SlowerTiming } from '@app/contracts/registry';
import type { Db } from '#api/foundation/db/schema.ts';
import { createWebVitalsRepository, type TimingCount } from './web-vitals.repository.ts';
import type { UnitChannels } from './registry.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of a moment, in days since 1970 (UTC). */
export const dayOf = (at: number) => Math.floor(at / DAY_MS);

/** Each bucket ends a tenth above the one before, so that a difference of a third is several buckets. */
const BUCKET_GROWTH = 1.1;
/** What is faster or slower counts as this, so that there are a hundred buckets at most. */
const MEASURED_RANGE_MS = { least: 10, most: 60_000 };

export function bucketOf(ms: number): number {
  const counted = Math.min(Math.max(ms, MEASURED_RANGE_MS.least), MEASURED_RANGE_MS.most);
  return Math.floor(Math.log(counted) / Math.log(BUCKET_GROWTH));
}

/** By how much the median of a canary has to be above that of the stable release: by a third. */
const MIN_SLOWDOWN = 4 / 3;

/**
 * How many visits of each have to be compared. Of 6000 simulated canaries that were as fast as the stable release, the
 * median of none was a third above it by chance; of those that took half as long again, nine of ten were named
 * (docs/decisions/078-canaries-who-gets-them-and-what-halts-them.md).
 */
const MIN_VISITS = 500;

/** By which timings the canary of a unit is slower than its stable release, in browsers that visit the same pages. */
export async function findCanaryRegressions(db: Db, { unit, channel }: UnitChannels): Promise<SlowerTiming[]> {
  const { stable, canary, canarySince } = channel;
  if (stable === null || canary === null) return [];

  const counts = await createWebVitalsRepository(db).list(unit, [stable, canary], dayOf(canarySince ?? 0));
  return COMPARED_TIMINGS.flatMap((timing) => compare(counts, timing, canary));
}

/** The visits in each bucket, which need not be whole. */
type Histogram = Map<number, number>;

/** By medians. Each page and each state of the cache counts as much on both sides, however often it was visited. */
function compare(counts: readonly TimingCount[], timing: ComparedTiming, canary: string): SlowerTiming[] {
  const places = new Map<string, TimingCount[]>();
  for (const count of counts) {
    if (count.timing !== timing) continue;
    const place = `${count.page} ${String(count.cached)}`;
    places.set(place, [...(places.get(place) ?? []), count]);
  }
  const sides: { canary: Histogram; stable: Histogram } = { canary: new Map(), stable: new Map() };
  let visits = 0;
  for (const rows of places.values()) {
    const own = { canary: rows.filter(isCanary), stable: rows.filter((row) => !isCanary(row)) };
    const compared = Math.min(sum(own.canary), sum(own.stable));
    if (compared === 0) continue;

    visits += compared;
    for (const side of ['canary', 'stable'] as const)
      for (const row of own[side]) {
        const weight = compared / sum(own[side]);
        sides[side].set(row.bucket, (sides[side].get(row.bucket) ?? 0) + row.visits * weight);
      }
  }
  if (visits < MIN_VISITS) return [];

  const [canaryMs, stableMs] = [medianOf(sides.canary), medianOf(sides.stable)];
  return canaryMs < stableMs * MIN_SLOWDOWN
    ? []
    : [{ timing, canaryMs: Math.round(canaryMs), stableMs: Math.round(stableMs), visits }];

  function isCanary({ version }: TimingCount): boolean {
    return version === canary;
  }
}

function sum(rows: readonly TimingCount[]): number {
  return rows.reduce((all, { visits }) => all + visits, 0);
}

/** The median of a histogram, as if the times in a bucket were spread evenly over it. */
function medianOf(histogram: Histogram): number {
  const buckets = [...histogram].sort(([one], [other]) => one - other);
  let left = buckets.reduce((all, [, visits]) => all + visits, 0) / 2;
  for (const [bucket, visits] of buckets) {
    if (visits >= left) return BUCKET_GROWTH ** (bucket + left / visits);
    left -= visits;
  }
  return 0;
}
