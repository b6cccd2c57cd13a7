import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { logFailure } from './log-failure.ts';

/** Data of the server: not here yet, here, or not to be had. */
type Result<Data> =
  | { status: 'loading'; data?: undefined; error?: undefined }
  | { status: 'ready'; data: Data; error?: undefined }
  | { status: 'failed'; data?: undefined; error: unknown };

export type Query<Data> = Result<Data> & {
  /** Whether a request is on its way: the first one, or one for news. */
  isFetching: boolean;
  /** Asks again. What is known stays until the answer is there. */
  refetch: () => void;
};

interface QueryOptions {
  /** Asks for news when the visitor comes back to the page. */
  onReturn?: boolean;
  /** Logs a failure under these words. For data that a page can do without. */
  logFailureAs?: string;
}

const LOADING = { status: 'loading' } as const;

/**
 * Loads data after the first render, and aborts its requests when the component goes or the key changes.
 * When a request for news fails, the data that is known stays.
 * @param key names what is loaded; another key forgets what the last one gave. Undefined while there is nothing to ask
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
  const take = useEffectEvent((of: { key: string; turn: number }, result: Result<Data>) => {
    if (result.status === 'failed' && logFailureAs) logFailure(logFailureAs, result.error);
    if (known && known.turn > of.turn) return;
    const isNews = result.status === 'ready' || known?.result.status !== 'ready';
    setAnswer({ ...of, result: isNews ? result : known.result });
  });

  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller.signal;
    return () => controller.abort();
  }, [key]);

  // A request for news does not abort the one before: on a slow connection none would ever be answered.
  useEffect(() => {
    const signal = leaving.current;
    if (key === undefined || !signal || isAnswered()) return;

    start(signal).then(
      (data) => signal.aborted || take({ key, turn }, { status: 'ready', data }),
      (error: unknown) => signal.aborted || take({ key, turn }, { status: 'failed', error }),
    );
  }, [key, turn]);

  useEffect(() => (onReturn ? whenReturned(refetch) : undefined), [onReturn, refetch]);

  return { ...(known?.result ?? LOADING), isFetching, refetch };
}

/**
 * Does something again and again, while the page is seen.
 * @param act the same function from render to render, such as `refetch`
 * @param everyMs undefined for not at all
 */
export function usePolling(act: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;

    const timer = setInterval(() => isSeen() && act(), everyMs);
    return () => clearInterval(timer);
  }, [act, everyMs]);
}

/** Calls whenever the page is seen again: its tab comes to the front, or the browser had kept it. */
function whenReturned(act: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  document.addEventListener('visibilitychange', () => isSeen() && act(), { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && act(), { signal });
  return () => leaving.abort();
}

function isSeen(): boolean {
  return document.visibilityState === 'visible';
}
