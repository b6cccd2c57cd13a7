import { PAGES } from '@app/contracts/pages';
import { Link } from '@app/platform';
import { useEffect, useState } from 'react';
import { t } from '../words.ts';
import css from './still-loading.module.css';

/** After how long a wait is worth a word. */
const SAY_SO_AFTER_MS = 3000;

/** Holds the room of a page that is on its way; says so when it takes long. */
export function StillLoading() {
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
