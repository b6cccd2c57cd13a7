import css from './pin-picture.module.css';
import { t } from './words.ts';

/** The same page twice: here one of its units is another version. */
export function PinPicture() {
  return (
    <div className={css.pages} aria-hidden="true">
      {(['everyone', 'here'] as const).map((whose) => (
        <div key={whose} className={css.page} data-whose={whose}>
          <span className={css.unit} />
          <span className={css.unit} />
          <span className={css.unit} />
          <span className={css.whose}>{t(`picture.${whose}`)}</span>
        </div>
      ))}
    </div>
  );
}
