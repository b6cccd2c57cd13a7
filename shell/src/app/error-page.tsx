import { PAGES } from '@app/contracts/pages';
import { Button, ButtonRow, buttonClass } from '@app/design-system/button';
import { Link } from '@app/platform';
import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import { ChunkError } from '../federation/chunk-error.ts';
import { HostApiError } from '../federation/host-api-error.ts';
import { isServerReached } from '../federation/releases.ts';
import { t } from '../words.ts';
import css from './error-page.module.css';

/** It comes with the toasts. Without it the page says as much. */
const ErrorPicture = lazy<ComponentType>(() =>
  import(/* webpackChunkName: "toasts" */ './error-picture.tsx').then(
    (arrived) => ({ default: arrived.ErrorPicture }),
    () => ({ default: () => null }),
  ),
);

/** In place of a page that failed: what to do, and folded beneath it what a helper wants to know. */
export function ErrorPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isChunk = error instanceof ChunkError;

  // After a tunnel no click is needed once the phone has its network again.
  useEffect(() => {
    if (!isChunk) return;

    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [isChunk, onRetry]);

  return (
    <main id="content" className={css.page}>
      <svg className={css.picture} viewBox="0 -20 332 74" aria-hidden="true">
        <Suspense>
          <ErrorPicture />
        </Suspense>
      </svg>
      <h1>{t(isChunk ? 'boundary.notLoaded' : 'boundary.stopped')}</h1>
      <p className={css.lead} role="alert">
        {t(isChunk ? `failed.${blameOf(error)}` : 'boundary.stoppedLead')}
      </p>
      <ButtonRow>
        <Button onClick={onRetry}>{t('boundary.retry')}</Button>
        <Link className={buttonClass({ kind: 'quiet' })} to={PAGES.home}>
          {t('boundary.home')}
        </Link>
      </ButtonRow>
      <FailureDetails error={error} />
    </main>
  );
}

/** Visitors are sent to their connection only when nothing came from our server. */
function blameOf({ type }: ChunkError): 'timeout' | 'ours' | 'unreached' {
  if (type === 'timeout') return type;
  return isServerReached() ? 'ours' : 'unreached';
}

/** What a helper wants to know of a load that has failed, folded. */
export function FailureDetails({ error }: { error: Error }) {
  const isChunk = error instanceof ChunkError;
  if (!isChunk && !(error instanceof HostApiError)) return null;

  return (
    <details className={css.details}>
      <summary className={css.summary}>{t('boundary.details')}</summary>
      <p className={css.technical}>
        {t('boundary.technical', { message: error.message, type: isChunk ? error.type : error.name })}
      </p>
    </details>
  );
}
