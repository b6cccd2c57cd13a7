import { ERRORS, type ErrorCode } from '@app/contracts/errors';
import { useIsHydrated, useLocation } from '@app/platform';
import { t } from '../../words.ts';
import css from './error-list.module.css';

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Explains every error code. The `type` of an error answer links to the code's section. */
export function ErrorList() {
  const { hash } = useLocation();
  const asked = useIsHydrated() ? hash.slice(1) : '';

  return (
    <div className={css.list}>
      {CODES.map((code) => (
        <section
          key={code}
          id={code}
          className={css.error}
          data-asked={code === asked}
          aria-labelledby={`${code}-heading`}
        >
          <div className={css.head}>
            <h2 id={`${code}-heading`} className={css.code}>
              {code}
            </h2>
            <span className={css.status}>{t('errors.status', { status: ERRORS[code].status })}</span>
          </div>
          <p className={css.title}>{ERRORS[code].title}</p>
          <p className={css.text}>{t(`errors.${code}`)}</p>
        </section>
      ))}
    </div>
  );
}
