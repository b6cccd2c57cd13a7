import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { logFailure } from './log-failure.ts';

type Result<Data> =
  | { status: 'loading'; data?: undefined; error?: undefined }
  | { status: 'ready'; data: Data; error?: undefined }
  | { status: 'failed'; data?: undefined; error: unknown };

export type Query<Data> = Result<Data> & {
  /** Whether a request is running: the first one, or a refetch. */
  isFetching: boolean;
  /** Loads the data again. The present data stays until the answer arrives. */
  refetch: () => void;
};

interface QueryOptions {
  /** Loads the data again when the visitor comes back to the page. */
  onReturn?: boolean;
  /** Logs a failure with this text. For data that a page does not need. */
  logFailureAs?: string;
}

const LOADING = { status: 'loading' } as const;

/**
 * Loads data after the first render. It aborts its requests when the component unmounts or the key changes. When a
 * refetch fails, the present data stays.
 * @param key names the data; a new key drops the data of the old one. Undefined: nothing is loaded
 * @param load fetches the data, and stops when the signal aborts
 */
export function useQuery<Data>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Data>,
  { onReturn = false, logFailureAs }: QueryOptions = {},
): Query<Data> {
  const [turn, setTurn] = useState(0);
  const [answer, setAnswer] = useState<{ key: string; turn: number; result: Result<Data> }>();
  const refetch = useCallback(() => setTurn((count) => count + 1), []);

  const known = answer?.key === key ? answer : undefined;
  const isFetching = key !== undefined && known?.turn !== turn;

  const leaving = useRef<AbortSignal>(undefined);
  const isAnswered = useEffectEvent(() => known?.turn === turn && known.result.status === 'ready');
  const start = useEffectEvent(load);
  const setResult = useEffectEvent((of: { key: string; turn: number }, result: Result<Data>) => {
    if (result.status === 'failed' && logFailureAs) logFailure(logFailureAs, result.error);
    if (known && known.turn > of.turn) return;
    // The present data stays when a refetch fails.
    const isKept = result.status === 'failed' && known?.result.status === 'ready';
    setAnswer({ ...of, result: isKept ? known.result : result });
  });

  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller.signal;
    return () => controller.abort();
  }, [key]);

  // A refetch does not abort the request before it. Otherwise, on a slow connection, polling would abort every request.
  useEffect(() => {
    const signal = leaving.current;
    if (key === undefined || !signal || isAnswered()) return;

    start(signal).then(
      (data) => signal.aborted || setResult({ key, turn }, { status: 'ready', data }),
      (error: unknown) => signal.aborted || setResult({ key, turn }, { status: 'failed', error }),
    );
  }, [key, turn]);

  useEffect(() => (onReturn ? onVisible(refetch) : undefined), [onReturn, refetch]);

  return { ...(known?.result ?? LOADING), isFetching, refetch };
}

/**
 * Calls a function at an interval, but only while the page is visible.
 * @param act has to be the same function in every render, such as `refetch`
 * @param everyMs the interval in milliseconds; undefined: no calls
 */
export function usePolling(act: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;

    const timer = setInterval(() => isVisible() && act(), everyMs);
    return () => clearInterval(timer);
  }, [act, everyMs]);
}

/** Calls a function when the tab comes to the front, or the browser restores the page from its back/forward cache. */
function onVisible(act: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  document.addEventListener('visibilitychange', () => isVisible() && act(), { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && act(), { signal });
  return () => leaving.abort();
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}
