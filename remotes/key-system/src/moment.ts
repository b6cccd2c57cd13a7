import { locale } from '@app/platform';
import { t } from './words.ts';

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/**
 * Writes a moment by the clock of this device: `at 14:31`, or `on 20 November at 14:31` when it is not today.
 * @param at in epoch milliseconds by the server's clock
 * @param serverOffsetMs the server's clock minus this device's, in milliseconds
 */
export function momentOf(at: number, serverOffsetMs: number): string {
  const here = at - serverOffsetMs;
  const time = new Intl.DateTimeFormat(locale(), TIME).format(here);
  if (new Date(here).toDateString() === new Date().toDateString()) return t('moment.today', { time });

  return t('moment.otherDay', {
    time,
    day: dayOf(here),
  });
}

/**
 * Writes the end of a plan by the clock of this device: `today at 14:31`, `22 December at 14:31`, or with its year when
 * that is another one.
 * @param at in epoch milliseconds by the server's clock
 * @param serverOffsetMs the server's clock minus this device's, in milliseconds
 */
export function endOf(at: number, serverOffsetMs: number): string {
  const here = new Date(at - serverOffsetMs);
  const today = new Date();
  const time = new Intl.DateTimeFormat(locale(), TIME).format(here);
  if (here.toDateString() === today.toDateString()) return t('moment.endsToday', { time });

  const year = here.getFullYear() === today.getFullYear() ? undefined : 'numeric';
  return t('moment.endsOtherDay', { day: dayOf(here, year), time });
}

/** The day of a moment, in one piece: in Vietnamese its month is a number, which must not begin a line. */
function dayOf(at: number | Date, year?: 'numeric'): string {
  const day = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', year }).format(at);
  return day.replaceAll(' ', '\u00a0');
}
