import { beforeEach, expect, test, vi } from 'vitest';
import { fetchInTime, isTimeout } from './fetch-in-time.ts';
import { postJson } from './api.ts';

/** Requests that are on their way, until their signal aborts them. */
let openRequests: RequestInit[] = [];

/** A network in which the first requests never get an answer. */
function loseFirst(lost: number) {
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    openRequests.push(init);
    return openRequests.length > lost ? Promise.resolve(new Response('told')) : untilAborted(init.signal);
  });
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
}

function begin(init: RequestInit = {}) {
  const heard: unknown[] = [];
  fetchInTime('/api/x', init, (response) => response.text()).then(
    (text) => heard.push(text),
    (error: unknown) => heard.push(error),
  );
  return heard;
}

beforeEach(() => {
  openRequests = [];
  vi.useFakeTimers();
});

test('clears its timer and listener after an answer', async () => {
  loseFirst(0);
  const leaving = new AbortController();
  const remove = vi.spyOn(leaving.signal, 'removeEventListener');
  const heard = begin({ signal: leaving.signal });
  await vi.advanceTimersByTimeAsync(0);

  expect(heard).toEqual(['told']);
  expect(vi.getTimerCount()).toBe(0);
  expect(remove).toHaveBeenCalledTimes(1);
});

test.each([undefined, 'HEAD', 'PUT', 'DELETE'])(
  'retries a request (%s) past the cache after a timeout, and aborts the first',
  async (method) => {
    loseFirst(1);
    const heard = begin(method ? { method } : {});
    await vi.advanceTimersByTimeAsync(8999);
    expect(openRequests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(heard).toEqual(['told']);
    expect(openRequests[0]?.signal?.aborted).toBe(true);
    expect(openRequests.map(({ method: sent, cache }) => [sent, cache])).toEqual([
      [method, undefined],
      [method, 'no-store'],
    ]);
  },
);

test.each([
  ['twice, and given up after eighteen', {}, 18_000, 2],
  ['once when it changes something, and given up after fifteen', postJson({}), 15_000, 1],
])('a request without an answer is sent %s seconds', async (_what, init, afterMs, times) => {
  loseFirst(2);
  const heard = begin(init);
  await vi.advanceTimersByTimeAsync(afterMs - 1);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);

  expect(heard.map(isTimeout)).toEqual([true]);
  expect(openRequests).toHaveLength(times);
});

test('retries a request whose answer stops half-way', async () => {
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
    openRequests.push({});
    return Promise.resolve({ text: () => (openRequests.length > 1 ? Promise.resolve('told') : untilAborted(signal)) });
  });
  const heard = begin();
  await vi.advanceTimersByTimeAsync(9000);

  expect(heard).toEqual(['told']);
});

test.each([
  ['the request, which is not repeated', 0, 1],
  ['the second request', 9000, 2],
])('a visitor who leaves aborts %s', async (_what, afterMs, times) => {
  loseFirst(2);
  const leaving = new AbortController();
  const heard = begin({ signal: leaving.signal });
  await vi.advanceTimersByTimeAsync(afterMs);
  leaving.abort();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(heard).toEqual([expect.objectContaining({ name: 'AbortError' })]);
  expect(openRequests).toHaveLength(times);

  begin({ signal: leaving.signal });
  expect(openRequests.at(-1)?.signal?.aborted).toBe(true);
});

test('does not retry a request that fails at once', async () => {
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    openRequests.push(init);
    return Promise.reject(new TypeError('Failed to fetch'));
  });
  const heard = begin();
  await vi.advanceTimersByTimeAsync(20_000);

  expect(heard).toEqual([new TypeError('Failed to fetch')]);
  expect(openRequests).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
