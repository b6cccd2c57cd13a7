import { UNNAMED_BUYER, type Purchase } from '@app/contracts/purchases';
import { lettersOf } from '@app/design-system/letters';
import { locale } from '@app/platform';
import { t } from '../../app/toasts/words.ts';
import { flagOf } from './country-flags.ts';
import { pastMomentOf } from './past-moment.ts';
import css from './purchase-toast.module.css';

/** Who bought, where (if that is known) and when, in one line. Where a line is too short for all, only the flag says where. */
export function PurchaseToast({ purchase, now }: { purchase: Purchase; now: Date }) {
  const flag = flagOf(purchase.country_code);
  const name = purchase.name === UNNAMED_BUYER ? t('toasts.someone') : purchase.name;

  return (
    <p className={css.toast} data-letters={lettersOf(name + purchase.location)}>
      <span className={css.who}>{t('toasts.bought', { name })}</span>
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
          <span>{flag ? placeOf(purchase) : purchase.location}</span>
        </span>
      )}
      <span className={css.when}>{` · ${pastMomentOf(new Date(purchase.timestamp * 1000), now)}`}</span>
    </p>
  );
}

/** Where it was bought. The server names countries in English. */
function placeOf({ location, country_code: code }: Purchase): string {
  const nameIn = (language: string) => new Intl.DisplayNames(language, { type: 'region' }).of(code.toUpperCase());

  return (location === nameIn('en') && nameIn(locale())) || location;
}
