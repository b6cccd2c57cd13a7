import { PAGES } from '@app/contracts/pages';
import { RUN_KEY, runKeyTeeth } from '@app/contracts/run-key-shape';
import { Button, ButtonRow, buttonClass } from '@app/design-system/button';
import { Link } from '@app/platform';
import { useEffect } from 'react';
import { ChunkError } from '../federation/chunk-error.ts';
import { HostApiError } from '../federation/host-api-error.ts';
import { isServerReached } from '../federation/releases.ts';
import { t } from '../words.ts';
import css from './failed-page.module.css';

const TEETH = runKeyTeeth(6)
  .map(({ tooth }) => tooth)
  .join('');

/** The edge where the key breaks, from above. */
const BREAK = 'H199V9l-6 4 7 4-9 5';

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
    <main id="content" className={css.page}>
      <BrokenKey />
      <h1>{t(isChunk ? 'boundary.notLoaded' : 'boundary.stopped')}</h1>
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
    </main>
  );
}

/** The key of a run, broken in two between its series. */
function BrokenKey() {
  const key = (
    <>
      <path d={RUN_KEY.body} />
      <path className={css.teeth} d={TEETH} />
    </>
  );

  return (
    <svg className={css.art} viewBox="0 -20 332 74" aria-hidden="true">
      <clipPath id="key-begin">
        <path d={`M0-9${BREAK}V49H0z`} />
      </clipPath>
      <clipPath id="key-end">
        <path d={`M328-9${BREAK}V49H328z`} />
      </clipPath>
      <g clipPath="url(#key-begin)" transform="rotate(5 196 15)">
        {key}
      </g>
      <g clipPath="url(#key-end)" transform="translate(8 12) rotate(-16 200 15)">
        {key}
      </g>
    </svg>
  );
}

/** Visitors are sent to their connection only when nothing came from our server. */
function blameOf({ type }: ChunkError): 'timeout' | 'ours' | 'unreached' {
  if (type === 'timeout') return type;
  return isServerReached() ? 'ours' : 'unreached';
}
