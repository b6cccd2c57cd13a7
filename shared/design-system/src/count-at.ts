/** The number that a count shows after some time. It grows fast at first, then slower, and ends at `value`. */
export function countAt(value: number, elapsedMs: number, durationMs: number): number {
  const share = Math.min(Math.max(elapsedMs / durationMs, 0), 1);
  return value * (1 - (1 - share) ** 3);
}

/** Formats a number with a fixed number of decimals, and with thousands separators from 10,000 on. */
export function formatCount(value: number, decimals: number): string {
  return value.toLocaleString('en', {
    useGrouping: 'min2',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}
