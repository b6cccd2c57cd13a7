import { locale } from '@app/platform';
import { t } from '../../app/toasts/words.ts';

/**
 * A moment of the past as people say it, in the visitor's time zone: `Today at 3:05 PM`, `Yesterday at …`, or
 * `dd/mm/yyyy at …` when it is older. The product specification gives this form.
 */
export function pastMomentOf(at: Date, now: Date): string {
  // British English writes `pm`.
  const language = locale() === 'en-GB' ? 'en-US' : locale();
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', hour12: true }).format(at);
  if (isSameDay(at, now)) return t('toasts.today', { time });

  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (isSameDay(at, yesterday)) return t('toasts.yesterday', { time });

  const date = `${twoDigits(at.getDate())}/${twoDigits(at.getMonth() + 1)}/${String(at.getFullYear())}`;
  return t('toasts.older', { date, time });
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
