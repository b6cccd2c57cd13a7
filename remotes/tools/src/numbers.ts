import { locale } from '@app/platform';

/** A share as a whole percentage; an empty text where there is nothing to have a share of. */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '';
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(part / whole);
}

export function numberOf(count: number): string {
  return new Intl.NumberFormat(locale()).format(count);
}

/** A UTC day of the server, such as 22 Nov. */
export function dayOf(day: string): string {
  const date = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale(), date).format(Date.parse(day)).replaceAll(' ', '\u00a0');
}

/** The day and the time of a moment, by the clock of this device. */
export function momentOf(at: number): { day: string; time: string } {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const day = { day: 'numeric', month: 'long' } as const;
  return {
    day: new Intl.DateTimeFormat(locale(), day).format(at).replaceAll(' ', '\u00a0'),
    time: new Intl.DateTimeFormat(locale(), time).format(at),
  };
}
