import { PAGES } from '@app/contracts/pages';
import { Button, ButtonRow, buttonClass } from '@app/design-system/button';
import { Page } from '@app/design-system/page';
import { Link } from '@app/platform';
import { useEffect } from 'react';
import { ChunkError } from '../federation/chunk-error.ts';
import { HostApiError } from '../federation/host-api-error.ts';
import { isServerReached } from '../federation/releases.ts';
import { t } from '../words.ts';
import css from './failed-page.module.css';

/** In place of a page that failed: what to do, and folded beneath it what a helper wants to know. */
export function FailedPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isChunk = error instanceof ChunkError;

  // After a tunnel no click is needed once the phone has its network again.
  useEffect(() => {
    if (!isChunk) return;

    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [isChunk, onRetry]);

  return (
    <Page heading={t(isChunk ? 'boundary.notLoaded' : 'boundary.stopped')} narrow>
      <svg className={css.art} viewBox="0 0 132 56" aria-hidden="true">
        <path d="M28 4a24 24 0 1 0 22 32h18l-6-8 8-8H50A24 24 0 0 0 28 4zm-4 16a8 8 0 1 1 0 16 8 8 0 0 1 0-16z" />
        <path d="m84 22-8 7 3 9 11 2-2 10 10 2 2-10 6 1-1 7 10 2 1-7 8 1 5-8-2-8z" />
      </svg>
      <p className={css.words} role="alert">
        {t(isChunk ? `failed.${blameOf(error)}` : 'boundary.stoppedLead')}
      </p>
      <ButtonRow>
        <Button onClick={onRetry}>{t('boundary.retry')}</Button>
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.home}>
          {t('boundary.home')}
        </Link>
      </ButtonRow>
      {(isChunk || error instanceof HostApiError) && (
        <details className={css.details}>
          <summary className={css.summary}>{t('boundary.details')}</summary>
          <p className={css.technical}>
            {t('boundary.technical', { message: error.message, type: isChunk ? error.type : error.name })}
          </p>
        </details>
      )}
    </Page>
  );
}

/** Visitors are sent to their connection only when nothing came from our server. */
function blameOf({ type }: ChunkError): 'timeout' | 'ours' | 'unreached' {
  if (type === 'timeout') return type;
  return isServerReached() ? 'ours' : 'unreached';
}
