import { t } from '../../words.ts';
import css from './waiting.module.css';

/** The visitor is back, the advertiser's own word is not here yet. */
export function Waiting({ isLate }: { isLate: boolean }) {
  return (
    <p role="status">
      <span className={css.sign} data-late={isLate} aria-hidden="true" />
      <strong className={css.what}>{t(isLate ? 'waiting.late' : 'waiting.soon')}</strong>{' '}
      {t(isLate ? 'waiting.lateWhy' : 'waiting.soonWhy')}
    </p>
  );
}
