import { locale } from '@app/platform';

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/**
 * The parts of a moment by the clock of this device, for a text with `{day}` and `{time}`: `20 December`, with its year
 * when that is another one, and `14:31`. No line breaks within the day.
 * @param at in epoch milliseconds by the server's clock
 * @param serverOffsetMs the server's clock minus this device's, in milliseconds
 */
export function formatDate(at: number, serverOffsetMs: number): { day: string; time: string } {
  const here = new Date(at - serverOffsetMs);
  const isThisYear = here.getFullYear() === new Date().getFullYear();
  const date = { day: 'numeric', month: 'long', year: isThisYear ? undefined : 'numeric' } as const;

  return {
    day: new Intl.DateTimeFormat(locale(), date).format(here).replace(' ', '\u00a0'),
    time: new Intl.DateTimeFormat(locale(), TIME).format(here),
  };
}
