import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchInTime, isTimeout } from './fetch-in-time.ts';
import { postJson } from './api.ts';

/** Requests that are on their way, until their signal aborts them. */
let asked: RequestInit[] = [];

/** A network in which the first requests never get an answer. */
function loseFirst(lost: number) {
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    asked.push(init);
    return asked.length > lost ? Promise.resolve(new Response('told')) : untilAborted(init.signal);
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
  asked = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an answer in time is read, and leaves no timer and no listener', async () => {
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
  'what may be repeated (%s) is asked for again past the cache, and the lost request is given up',
  async (method) => {
    loseFirst(1);
    const heard = begin(method ? { method } : {});
    await vi.advanceTimersByTimeAsync(8999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(heard).toEqual(['told']);
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(asked.map(({ method: sent, cache }) => [sent, cache])).toEqual([
      [method, undefined],
      [method, 'no-store'],
    ]);
  },
);

test('after eighteen seconds without an answer reading is given up', async () => {
  loseFirst(2);
  const heard = begin();
  await vi.advanceTimersByTimeAsync(17_999);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);

  expect(heard.map(isTimeout)).toEqual([true]);
  expect(asked).toHaveLength(2);
});

test('what changes something is sent once, and given up after fifteen seconds', async () => {
  loseFirst(1);
  const heard = begin(postJson({}));
  await vi.advanceTimersByTimeAsync(14_999);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);

  expect(heard.map(isTimeout)).toEqual([true]);
  expect(asked).toHaveLength(1);
});

test('an answer that stops half-way is as lost as none', async () => {
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
    asked.push({});
    return Promise.resolve({ text: () => (asked.length > 1 ? Promise.resolve('told') : untilAborted(signal)) });
  });
  const heard = begin();
  await vi.advanceTimersByTimeAsync(9000);

  expect(heard).toEqual(['told']);
});

test('a visitor who leaves aborts the request, and it is not repeated', async () => {
  loseFirst(2);
  const leaving = new AbortController();
  const heard = begin({ signal: leaving.signal });
  leaving.abort();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(heard).toEqual([expect.objectContaining({ name: 'AbortError' })]);
  expect(asked).toHaveLength(1);

  begin({ signal: leaving.signal });
  expect(asked[1]?.signal?.aborted).toBe(true);
});

test('a visitor who leaves aborts the second request, too', async () => {
  loseFirst(2);
  const leaving = new AbortController();
  const heard = begin({ signal: leaving.signal });
  await vi.advanceTimersByTimeAsync(9000);
  leaving.abort();
  await vi.advanceTimersByTimeAsync(0);

  expect(asked).toHaveLength(2);
  expect(heard).toEqual([expect.objectContaining({ name: 'AbortError' })]);
});

test('an error that comes at once is not repeated', async () => {
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    asked.push(init);
    return Promise.reject(new TypeError('Failed to fetch'));
  });
  const heard = begin();
  await vi.advanceTimersByTimeAsync(20_000);

  expect(heard).toEqual([new TypeError('Failed to fetch')]);
  expect(asked).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
