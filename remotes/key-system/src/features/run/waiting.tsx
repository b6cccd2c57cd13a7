import { t } from '../../words.ts';
import css from './waiting.module.css';

/** Shown when the visitor has come back from the advertiser, but its confirmation has not arrived. */
export function Waiting({ isLate }: { isLate: boolean }) {
  return (
    <p role="status">
      <span className={css.sign} data-late={isLate} aria-hidden="true" />
      <strong className={css.what}>{t(isLate ? 'waiting.late' : 'waiting.soon')}</strong>{' '}
      <span>{t(isLate ? 'waiting.lateWhy' : 'waiting.soonWhy')}</span>
    </p>
  );
}
