import { PAGES } from '@app/contracts/pages';
import { Link } from '@app/platform';
import { useEffect, useState } from 'react';
import { t } from '../words.ts';
import css from './page-loading.module.css';

/** How long a page may load before a text tells the visitor that it takes long. */
const SAY_SO_AFTER_MS = 3000;

/** Fills the place of a page while its code loads. After three seconds it tells the visitor that this takes long. */
export function PageLoading() {
  const [isLong, setIsLong] = useState(false);

  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), SAY_SO_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className={css.room} role="status">
      {isLong && (
        <p className={css.words}>
          {t('loading.long')} <Link to={PAGES.home}>{t('loading.elsewhere')}</Link>
        </p>
      )}
    </div>
  );
}
