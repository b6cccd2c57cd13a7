export const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time in epoch milliseconds, such as 2026-01-31. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The UTC day after a day, both such as 2026-01-31. */
export function dayAfter(day: string): string {
  return utcDay(Date.parse(day) + DAY_MS);
}
