import { t } from './words.ts';

const MINUTE_MS = 60_000;

/** Writes the day of a moment by the time zone of this device: `3 March 2027`. */
export function dayOf(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(at);
}

/** Writes a moment by the time zone of this device: `3 March 2027 at 14:31`. */
export function momentOf(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(at);
}

/**
 * Says that there were too many tries, and when one can try again.
 * @param retryAt in epoch milliseconds by the clock of this device; undefined when the server did not say
 */
export function sayLimit(retryAt: number | undefined): string {
  if (retryAt === undefined) return t('limit.some');

  return t('limit.until', {
    minutes: Math.max(1, Math.ceil((retryAt - Date.now()) / MINUTE_MS)),
    time: new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(retryAt),
  });
}
