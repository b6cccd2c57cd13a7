import type { Purchase } from '@app/contracts/purchases';
import { t } from '../../words.ts';
import { flagOf } from './country-flags.ts';
import css from './purchase-toast.module.css';

/** Who bought, where (if that is known) and when, in one line. Where a line is too short for all, only the flag says where. */
export function PurchaseToast({ purchase, now }: { purchase: Purchase; now: Date }) {
  const flag = flagOf(purchase.country_code);

  return (
    <p className={css.toast}>
      <span className={css.who}>{t('toasts.bought', { name: purchase.name })}</span>
      {flag && (
        <svg className={css.flag} viewBox="0 0 20 14" aria-hidden="true">
          {flag.map(([colour, path]) => (
            <path key={path} fill={colour} d={path} />
          ))}
        </svg>
      )}
      {purchase.location && (
        <span className={css.where}>
          {' '}
          <span>{purchase.location}</span>
        </span>
      )}
      <span className={css.when}>{` · ${formatMoment(new Date(purchase.timestamp * 1000), now)}`}</span>
    </p>
  );
}

/**
 * Writes a moment as people say it, in the visitor's time zone: `Today at 3:05 PM`, `Yesterday at …`, or
 * `dd/mm/yyyy at …` when it is older.
 */
export function formatMoment(at: Date, now: Date): string {
  const time = at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', hour12: true });
  if (isSameDay(at, now)) return `Today at ${time}`;

  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (isSameDay(at, yesterday)) return `Yesterday at ${time}`;

  return `${twoDigits(at.getDate())}/${twoDigits(at.getMonth() + 1)}/${at.getFullYear()} at ${time}`;
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
