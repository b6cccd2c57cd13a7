import { Button } from '@app/design-system/button';
import { notePageSettled, useLocation } from '@app/platform';
import { useEffect, useState } from 'react';
import { useKeptPage } from '../federation/kept-page.ts';
import { t } from '../words.ts';
import { FailureDetails } from './error-boundary.tsx';
import css from './kept-page-notice.module.css';

/** For a page whose code could not be had: only reading and links work. Its HTML from the server stays. */
export function KeptPageNotice() {
  const { pathname } = useLocation();
  const kept = useKeptPage(({ kept }) => kept);
  const [isTrying, setIsTrying] = useState(false);
  const isShown = kept?.path === pathname;

  useEffect(() => {
    if (isShown) notePageSettled();
  }, [isShown]);

  if (!isShown) return null;

  const tryAgain = () => {
    setIsTrying(true);
    void kept.tryAgain().finally(() => setIsTrying(false));
  };
  return (
    <div className={css.notice} role="alert">
      <p>{t('kept.text')}</p>
      <Button kind="quiet" disabled={isTrying} onClick={tryAgain}>
        {t('kept.retry')}
      </Button>
      <FailureDetails error={kept.error} />
    </div>
  );
}
