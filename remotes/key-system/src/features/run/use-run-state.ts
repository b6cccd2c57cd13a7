import type { AppId } from '@app/contracts/key-system';
import { runStateSchema, type RunState } from '@app/contracts/key-system-schemas';
import { callApi } from '@app/platform';
import { useCallback, useEffect, useState } from 'react';

const POLL_EVERY_MS = 1500;

export type RunReading =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; state: RunState };

interface RunQuery {
  app: AppId;
  hwid: string | undefined;
  zone: string | undefined;
  /** Ask again and again, while an advertiser's confirmation is on its way. */
  isWaiting: boolean;
}

/**
 * The run as the server has it, read again whenever the visitor comes back to the page.
 * Without a device there is nothing to ask, and the reading stays `loading`.
 */
export function useRunState({ app, hwid, zone, isWaiting }: RunQuery): { reading: RunReading; reload: () => void } {
  const [reading, setReading] = useState<RunReading>({ status: 'loading' });
  const [asked, setAsked] = useState(0);
  const reload = useCallback(() => setAsked((count) => count + 1), []);

  useEffect(() => {
    if (!hwid) return;

    const abort = new AbortController();
    const query = new URLSearchParams({ hwid, app, ...(zone && { zone }) });
    callApi(runStateSchema, `/api/keysystem/state?${query}`, { signal: abort.signal }).then(
      (state) => setReading({ status: 'ready', state }),
      (error: unknown) => {
        if (!abort.signal.aborted) setReading({ status: 'failed', error });
      },
    );
    return () => abort.abort();
  }, [app, hwid, zone, asked]);

  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('pageshow', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('pageshow', onReturn);
    };
  }, [reload]);

  useEffect(() => {
    if (!isWaiting) return;

    const timer = setInterval(reload, POLL_EVERY_MS);
    return () => clearInterval(timer);
  }, [isWaiting, reload]);

  return { reading, reload };
}
