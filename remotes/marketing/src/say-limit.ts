import { formatDate } from './date.ts';
import { t } from './words.ts';

const MINUTE_MS = 60_000;

/**
 * Says that there were too many tries, and when one can try again.
 * @param retryAt in epoch milliseconds by the clock of this device; undefined when the server did not say
 */
export function formatLimit(retryAt: number | undefined): string {
  if (retryAt === undefined) return t('limit.some');

  return t('limit.until', {
    minutes: Math.max(1, Math.ceil((retryAt - Date.now()) / MINUTE_MS)),
    time: formatDate(retryAt, 0).time,
  });
}
