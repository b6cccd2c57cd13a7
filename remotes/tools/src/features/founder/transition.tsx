import { t } from '../../words.ts';
import css from './transition.module.css';

export function Transition() {
  return (
    <div className={css.screen}>
      <p className={css.sentence} role="status">
        {t('portfolio.transition')}
      </p>
      <span className={css.track} aria-hidden="true">
        <span className={css.progress} />
      </span>
    </div>
  );
}
