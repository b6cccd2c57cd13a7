import { runStateSchema, type RunState } from '@app/contracts/key-system-schemas';
import type { AppId } from '@app/contracts/key-system';
import { ApiError, callApi } from '@app/platform';
import { useCallback, useEffect, useState } from 'react';

export type RunReading =
  | { status: 'loading' }
  | {
      status: 'failed';
      /** What the server says is wrong, and that asking again will not change it: the link itself is unusable. */
      isRefused: boolean;
      isLimited: boolean;
      words: string;
      /** When the server wants to be asked again, in milliseconds by this device's clock; undefined where it did not say. */
      retryAt: number | undefined;
    }
  | {
      status: 'ready';
      state: RunState;
      /** The server's clock minus this device's, in milliseconds. */
      serverOffsetMs: number;
    };

interface RunQuery {
  app: AppId;
  hwid: string | undefined;
  zone: string | undefined;
}

/**
 * The run as the server has it, read again whenever the visitor comes back to the page.
 * Without a device there is nothing to ask, and the reading stays `loading`. What is known stays when a later reading fails.
 */
export function useRunState({ app, hwid, zone }: RunQuery): { reading: RunReading; reload: () => void } {
  const [reading, setReading] = useState<RunReading>({ status: 'loading' });
  const [asked, setAsked] = useState(0);
  const reload = useCallback(() => setAsked((count) => count + 1), []);

  useEffect(() => {
    if (!hwid) return;

    const abort = new AbortController();
    const query = new URLSearchParams({ hwid, app, ...(zone && { zone }) });
    callApi(runStateSchema, `/api/keysystem/state?${query}`, { signal: abort.signal }).then(
      (state) => setReading({ status: 'ready', state, serverOffsetMs: state.now - Date.now() }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setReading((known) => (known.status === 'ready' ? known : failureOf(error)));
      },
    );
    return () => abort.abort();
  }, [app, hwid, zone, asked]);

  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const onShown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reload();
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('pageshow', onShown);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('pageshow', onShown);
    };
  }, [reload]);

  return { reading, reload };
}

function failureOf(error: unknown): RunReading {
  if (!(error instanceof ApiError))
    return { status: 'failed', isRefused: false, isLimited: false, words: '', retryAt: undefined };

  return {
    status: 'failed',
    isRefused: !error.retryable && error.code !== 'server.unexpected',
    isLimited: error.code === 'KS_LIMIT',
    words: error.message,
    retryAt: error.retryAt,
  };
}
