import { locale } from '@app/platform';
import { t } from './words.ts';

/**
 * Writes a moment by the clock of this device: `at 14:31`, or `on 20 November at 14:31` when it is not today.
 * @param at in epoch milliseconds by the server's clock
 * @param serverOffsetMs the server's clock minus this device's, in milliseconds
 */
export function formatMoment(at: number, serverOffsetMs: number): string {
  const { isToday, time, day } = partsOf(at - serverOffsetMs);
  return isToday ? t('moment.today', { time }) : t('moment.otherDay', { time, day: day() });
}

/**
 * Writes the end of a plan or a key: `today at 14:31`, `22 December at 14:31`, or with its year when that is another
 * one. See `formatMoment`.
 */
export function formatEnd(at: number, serverOffsetMs: number): string {
  const { isToday, time, day, isThisYear } = partsOf(at - serverOffsetMs);
  if (isToday) return t('moment.endsToday', { time });
  return t('moment.endsOtherDay', { day: day(isThisYear ? undefined : 'numeric'), time });
}

/** @param at in epoch milliseconds by this device's clock */
export function partsOf(at: number) {
  const [date, now] = [new Date(at), new Date()];
  return {
    isToday: date.toDateString() === now.toDateString(),
    isThisYear: date.getFullYear() === now.getFullYear(),
    time: new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(date),
    /** In one piece: in Vietnamese its month is a number, which must not begin a line. */
    day: (year?: 'numeric') =>
      new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', year }).format(date).replaceAll(' ', '\u00a0'),
  };
}
