import { countDown } from './count-down.ts';

/** How many seconds the whole answer to a request that only reads may take, before it is asked for again. */
const READ_TIMEOUT_S = 9;

/** The same for a request that changes something. Meanwhile the server may ask a provider for five seconds. */
const CHANGE_TIMEOUT_S = 15;

/**
 * Fetches, and reads the answer, in bounded time: on a connection that died in silence no answer ever comes. What may be
 * repeated (RFC 9110, 9.2.2) is asked for once more, past the cache, where the browser would wait for the lost request.
 * @param read reads the answer
 * @throws DOMException `TimeoutError` when no answer came; whether the server has done what was asked is unknown then
 */
export async function fetchInTime<Result>(
  url: RequestInfo | URL,
  init: RequestInit,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  if (init.method === 'POST') return fetchWithin(CHANGE_TIMEOUT_S, url, init, read);

  try {
    return await fetchWithin(READ_TIMEOUT_S, url, init, read);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return fetchWithin(READ_TIMEOUT_S, url, { ...init, cache: 'no-store' }, read);
  }
}

/** Whether a request failed because no answer came in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

async function fetchWithin<Result>(
  seconds: number,
  url: RequestInfo | URL,
  { signal, ...init }: RequestInit,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  // The oldest browsers have no AbortSignal.any.
  const limit = new AbortController();
  const abort = () => limit.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);

  let isOver = false;
  const stop = countDown(seconds, () => {
    isOver = true;
    abort();
  });
  try {
    return await read(await fetch(url, { ...init, signal: limit.signal }));
  } catch (error) {
    throw isOver ? new DOMException('No answer', 'TimeoutError') : error;
  } finally {
    stop();
    signal?.removeEventListener('abort', abort);
  }
}
