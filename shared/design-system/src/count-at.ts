/** The number that a count shows after some time: fast at first, then slower, and never more than `value`. */
export function countAt(value: number, elapsedMs: number, durationMs: number): number {
  const share = Math.min(Math.max(elapsedMs / durationMs, 0), 1);
  return value * (1 - (1 - share) ** 3);
}

/** Formats a number as the site does: grouped from 10,000 on, with a fixed number of decimals. */
export function formatCount(value: number, decimals: number): string {
  return value.toLocaleString('en', {
    useGrouping: 'min2',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}
