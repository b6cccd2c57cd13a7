import { PAGES } from '@app/contracts/pages';
import { Link } from '@app/platform';
import { useEffect, useState } from 'react';
import { t } from '../words.ts';
import css from './page-loading.module.css';

/** Screen readers read what comes into a status, not what a new one has in it. */
const SAY_AFTER_MS = 100;

/** Fills the place of a page while its code loads. */
export function PageRoom() {
  return <div className={css.room} />;
}

/** In place of a page that loads for long: says so, and offers another page. */
export function PageLoading() {
  const [isSaid, setIsSaid] = useState(false);

  useEffect(() => {
    // The text is below the window for somebody who has scrolled down on the page before.
    window.scrollTo(0, 0);
    const timer = setTimeout(() => setIsSaid(true), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className={css.room} role="status">
      {isSaid && (
        <p className={css.words}>
          {t('loading.long')} <Link to={PAGES.home}>{t('loading.elsewhere')}</Link>
        </p>
      )}
    </div>
  );
}
