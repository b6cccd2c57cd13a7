import type { Purchase } from '@app/contracts/purchases';
import { t } from '../../words.ts';
import css from './purchase-toast.module.css';
import { flagOf, formatMoment } from './purchase-words.ts';

/** The content of a toast: who bought something, where and when. */
export function PurchaseToast({ purchase }: { purchase: Purchase }) {
  const flag = flagOf(purchase.country_code);

  return (
    <div className={css.toast}>
      <p className={css.who}>{t('toasts.bought', { name: purchase.name })}</p>
      <p className={css.when}>
        {purchase.location} {flag && <span aria-hidden="true">{flag}</span>} ·{' '}
        {formatMoment(new Date(purchase.timestamp * 1000), new Date())}
      </p>
    </div>
  );
}
