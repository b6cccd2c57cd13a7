import { PAGES } from '@app/contracts/pages';
import { Link } from '@app/platform';
import { useEffect, useState } from 'react';
import { t } from '../words.ts';
import css from './page-loading.module.css';

export function PageRoom() {
  return <div className={css.room} />;
}

/** Fills the place of a page that loads for long: says so, and offers another page. */
export function PageLoading({ afterMs }: { afterMs: number }) {
  const [isSaid, setIsSaid] = useState(false);

  useEffect(() => {
    // A visitor who had scrolled down on the page before would not see the text.
    window.scrollTo(0, 0);
    // Also without a wait: screen readers read what changes in a status, not what a new one contains.
    const timer = setTimeout(() => setIsSaid(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);

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
