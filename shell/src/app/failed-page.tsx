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
