import { ChunkError } from '../federation/chunk-error.ts';
import { HostApiError } from '../federation/host-api-error.ts';
import { t } from '../words.ts';
import css from './failure-details.module.css';

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
