import { UNNAMED_BUYER, type Purchase } from '@app/contracts/purchases';
import { lettersOf } from '@app/design-system/letters';
import { locale } from '@app/platform';
import { t } from '../../app/toasts/words.ts';
import css from './purchase-toast.module.css';

/** A drawing for each country below, and one for all others. */
const FLAGS = new URL('./country-flags.svg', import.meta.url).href;

const DRAWN_FLAG_CODES = new Set('be br co de es fr gb id it mx nl ph pl us vn'.split(' '));

/** Who bought, where (if that is known) and when, in one line. Where a line is too short for all, only the flag says where. */
export function PurchaseToast({ purchase, now }: { purchase: Purchase; now: Date }) {
  const flag = flagOf(purchase.country_code);
  const name = purchase.name === UNNAMED_BUYER ? t('toasts.someone') : purchase.name;

  return (
    <p className={css.toast} data-letters={lettersOf(name + purchase.location)}>
      <span className={css.buyer}>{t('toasts.bought', { name })}</span>
      {flag && (
        <svg className={css.flag} aria-hidden="true">
          <use href={`${FLAGS}#${flag}`} />
        </svg>
      )}
      {purchase.location && (
        <span ref={hideIfCut} className={css.place}>
          {` ${t('toasts.place', { place: flag ? placeOf(purchase) : purchase.location })}`}
        </span>
      )}
      <span className={css.time}>{` · ${formatPast(new Date(purchase.timestamp * 1000), now)}`}</span>
    </p>
  );
}

/** A part of a place says nothing, and an empty one leaves a hole in the line. */
function hideIfCut(place: HTMLElement | null): void {
  if (place) place.hidden = place.scrollWidth > place.clientWidth;
}

/** The flag of a country code of exactly two letters; any other code has none. */
export function flagOf(countryCode: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(countryCode)) return undefined;

  const code = countryCode.toLowerCase();
  return DRAWN_FLAG_CODES.has(code) ? code : 'other';
}

/** Where it was bought. The server names countries in English. */
function placeOf({ location, country_code: code }: Purchase): string {
  const nameIn = (language: string) => new Intl.DisplayNames(language, { type: 'region' }).of(code.toUpperCase());

  return (location === nameIn('en') && nameIn(locale())) || location;
}

/** `Today at 3:05 PM`, `Yesterday at …`, or `dd/mm/yyyy at …`. The product specification gives this form. */
export function formatPast(at: Date, now: Date): string {
  // British English writes `pm`.
  const language = locale() === 'en-GB' ? 'en-US' : locale();
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', hour12: true }).format(at);
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);

  if (at.toDateString() === now.toDateString()) return t('toasts.today', { time });
  if (at.toDateString() === yesterday.toDateString()) return t('toasts.yesterday', { time });
  const [day, month] = [at.getDate(), at.getMonth() + 1].map((part) => String(part).padStart(2, '0'));
  return t('toasts.older', { date: `${day}/${month}/${String(at.getFullYear())}`, time });
}
