/** How far a count has come; fast at first, then settling. Never past its end. */
export function countAt(value: number, elapsedMs: number, durationMs: number): number {
  const share = Math.min(Math.max(elapsedMs / durationMs, 0), 1);
  return value * (1 - (1 - share) ** 3);
}

/** A number as the site writes it: thousands parted from 10,000 on, always as many decimals as asked for. */
export function formatCount(value: number, decimals: number): string {
  return value.toLocaleString('en', {
    useGrouping: 'min2',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}
