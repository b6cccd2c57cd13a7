export const HOUR_MS = 60 * 60 * 1000;

/**
 * When an hourly limit lets one more through.
 * @param times when the counted ones happened, in epoch milliseconds
 * @param limit how many an hour may have
 * @returns the moment at which enough of them are an hour old, in epoch milliseconds; undefined while there is room
 */
export function whenFree(times: readonly number[], limit: number): number | undefined {
  const inTheWay = times.toSorted((a, b) => b - a)[limit - 1];
  return inTheWay === undefined ? undefined : inTheWay + HOUR_MS;
}

/** The later of two such moments. */
export function laterOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
