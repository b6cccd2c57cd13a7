export const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time in epoch milliseconds, such as 2026-01-31. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** How far from midnight a day may be signed, or still be without a signature, in milliseconds. */
export const GRACE_MS = 60 * 60 * 1000;

/** Whether a day is signed that has not ended, so that the clock which ended it was ahead. */
export function isAhead(day: string, now: number): boolean {
  return day >= utcDay(now + GRACE_MS);
}

/** The UTC day after a day, both such as 2026-01-31. */
export function dayAfter(day: string): string {
  return utcDay(Date.parse(day) + DAY_MS);
}
