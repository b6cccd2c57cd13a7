export const HOUR_MS = 60 * 60 * 1000;

/**
 * When a limit per hour allows one more.
 * @param times when the counted events happened, in epoch milliseconds
 * @param limit how many are allowed in an hour
 * @returns the time at which enough of them are an hour old, in epoch milliseconds; undefined while there is room
 */
export function whenFree(times: readonly number[], limit: number): number | undefined {
  const inTheWay = times.toSorted((a, b) => b - a)[limit - 1];
  return inTheWay === undefined ? undefined : inTheWay + HOUR_MS;
}

/** The later of two such moments. */
export function laterOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
