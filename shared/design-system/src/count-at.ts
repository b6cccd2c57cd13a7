/** The number that a count shows after some time. It grows fast at first, then slower, and ends at `value`. */
export function countAt(value: number, elapsedMs: number, durationMs: number): number {
  const share = Math.min(Math.max(elapsedMs / durationMs, 0), 1);
  return value * (1 - (1 - share) ** 3);
}

/**
 * Formats a number with at most two decimals, always as many, and with thousands separators from 10,000 on. The first
 * use of `Intl` would take a slow phone a tenth of a second.
 */
export function formatCount(value: number, decimals: number): string {
  const digits = value.toFixed(decimals);
  return Number(digits) < 10_000 ? digits : digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');
}
