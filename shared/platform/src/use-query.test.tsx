import { act, cleanup, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePolling, useQuery } from './use-query.ts';

/** One request: whether it is still wanted, and how it is answered. */
interface FakeRequest {
  name: string;
  signal: AbortSignal;
  answer: (data: string) => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

let asked: FakeRequest[] = [];
let refetch: () => void;

function load(name: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    asked.push({
      name,
      signal,
      answer: (data) => act(() => Promise.resolve(resolve(data))),
      fail: (error) => act(() => Promise.resolve(reject(error))),
    });
  });
}

interface ReaderProps {
  name: string | undefined;
  onReturn?: boolean;
  logFailureAs?: string;
}

function Reader({ name, ...options }: ReaderProps) {
  const query = useQuery(name, (signal) => load(String(name), signal), options);
  const { status, data, error, isFetching } = query;
  useEffect(() => {
    refetch = query.refetch;
  });
  return (
    <output>
      {[status, data, error instanceof Error && error.message, isFetching && '...'].filter(Boolean).join(' ')}
    </output>
  );
}

const shownStatus = () => screen.getByRole('status').textContent;
const refetchNow = () => act(() => refetch());
const requestNames = () => asked.map(({ name }) => name);

function setVisibility(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

beforeEach(() => {
  asked = [];
});
afterEach(() => {
  cleanup();
});

test('loads the data', async () => {
  render(<Reader name="a" />);
  expect(shownStatus()).toBe('loading ...');
  await asked[0]?.answer('first');

  expect(shownStatus()).toBe('ready first');
  expect(requestNames()).toEqual(['a']);
});

test('a failed load can be refetched', async () => {
  render(<Reader name="a" />);
  await asked[0]?.fail(new Error('no line'));
  expect(shownStatus()).toBe('failed no line');

  refetchNow();
  expect(shownStatus()).toBe('failed no line ...');
  await asked[1]?.fail(new Error('still no line'));
  expect(shownStatus()).toBe('failed still no line');
  refetchNow();
  await asked[2]?.answer('first');
  expect(shownStatus()).toBe('ready first');
});

test('loads nothing without a key', () => {
  render(<Reader name={undefined} />);

  expect(shownStatus()).toBe('loading');
  expect(asked).toEqual([]);
});

test('keeps the data during a refetch, and when the refetch fails', async () => {
  render(<Reader name="a" />);
  await asked[0]?.answer('first');
  refetchNow();
  expect(shownStatus()).toBe('ready first ...');
  await asked[1]?.fail(new Error('no line'));
  expect(shownStatus()).toBe('ready first');

  refetchNow();
  await asked[2]?.answer('second');
  expect(shownStatus()).toBe('ready second');
});

test('ignores the late answer to a request before a refetch', async () => {
  render(<Reader name="a" />);
  refetchNow();
  expect(asked[0]?.signal.aborted).toBe(false);
  await asked[1]?.answer('newer');
  expect(shownStatus()).toBe('ready newer');

  await asked[0]?.answer('older');
  expect(shownStatus()).toBe('ready newer');
});

test('shows the answer of an earlier request until the newest one arrives', async () => {
  render(<Reader name="a" />);
  refetchNow();
  await asked[0]?.answer('older');
  expect(shownStatus()).toBe('ready older ...');

  await asked[1]?.answer('newer');
  expect(shownStatus()).toBe('ready newer');
});

test('a changed key drops the data and aborts the requests of the previous key', async () => {
  const { rerender } = render(<Reader name="a" />);
  await asked[0]?.answer('of a');
  refetchNow();
  rerender(<Reader name="b" />);
  expect(shownStatus()).toBe('loading ...');
  expect(asked[1]?.signal.aborted).toBe(true);
  expect(requestNames()).toEqual(['a', 'a', 'b']);

  await asked[1]?.answer('late of a');
  expect(shownStatus()).toBe('loading ...');
  await asked[2]?.answer('of b');
  expect(shownStatus()).toBe('ready of b');
});

test('neither shows nor logs a failure of a previous key', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const { rerender } = render(<Reader name="a" logFailureAs="Nothing of a" />);
  rerender(<Reader name={undefined} logFailureAs="Nothing of a" />);
  expect(asked[0]?.signal.aborted).toBe(true);
  await asked[0]?.fail(new Error('aborted'));

  expect(shownStatus()).toBe('loading');
  expect(log).not.toHaveBeenCalled();
});

test('logs a failure with `logFailureAs` alone', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const failure = new Error('no line');
  render(<Reader name="a" logFailureAs="No video" />);
  await asked[0]?.fail(failure);
  expect(log.mock.calls).toEqual([['No video', failure]]);

  refetchNow();
  await asked[1]?.answer('first');
  render(<Reader name="shown" />);
  await asked[2]?.fail(failure);
  expect(log).toHaveBeenCalledTimes(1);
});

test('refetches with `onReturn` when the page becomes visible', async () => {
  const { rerender } = render(<Reader name="a" />);
  await asked[0]?.answer('first');
  setVisibility('visible');
  expect(asked).toHaveLength(1);

  rerender(<Reader name="a" onReturn />);
  setVisibility('hidden');
  expect(asked).toHaveLength(1);
  setVisibility('visible');
  expect(asked).toHaveLength(2);

  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })));
  expect(asked).toHaveLength(2);
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  expect(asked).toHaveLength(3);
});

test('aborts its requests and removes its listeners on unmount', () => {
  const { unmount } = render(<Reader name="a" onReturn />);
  unmount();
  expect(asked[0]?.signal.aborted).toBe(true);
  const read = vi.fn(() => true);
  const isSeen = vi.spyOn(document, 'visibilityState', 'get');
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(Object.defineProperty(new Event('pageshow'), 'persisted', { get: read }));

  expect(isSeen).not.toHaveBeenCalled();
  expect(read).not.toHaveBeenCalled();
});

test('reloads a previous key only if it had failed', async () => {
  const { rerender } = render(<Reader name="a" />);
  await asked[0]?.fail(new Error('no line'));
  rerender(<Reader name={undefined} />);
  rerender(<Reader name="a" />);
  expect(requestNames()).toEqual(['a', 'a']);
  await asked[1]?.answer('first');
  expect(shownStatus()).toBe('ready first');

  rerender(<Reader name={undefined} />);
  expect(shownStatus()).toBe('loading');
  rerender(<Reader name="a" />);
  expect(shownStatus()).toBe('ready first');
  expect(requestNames()).toEqual(['a', 'a']);
});

function Poller({ look, everyMs }: { look: () => void; everyMs: number | undefined }) {
  usePolling(look, everyMs);
  return null;
}

test('polls while the page is visible', () => {
  vi.useFakeTimers();
  const look = vi.fn();
  render(<Poller look={look} everyMs={1000} />);
  vi.advanceTimersByTime(999);
  expect(look).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2001);
  expect(look).toHaveBeenCalledTimes(3);

  setVisibility('hidden');
  vi.advanceTimersByTime(5000);
  expect(look).toHaveBeenCalledTimes(3);
  setVisibility('visible');
  vi.advanceTimersByTime(1000);
  expect(look).toHaveBeenCalledTimes(4);
});

test('changes the polling interval, and stops polling without one or on unmount', () => {
  vi.useFakeTimers();
  const look = vi.fn();
  const { rerender, unmount } = render(<Poller look={look} everyMs={undefined} />);
  vi.advanceTimersByTime(60_000);
  expect(look).not.toHaveBeenCalled();

  rerender(<Poller look={look} everyMs={1000} />);
  vi.advanceTimersByTime(1000);
  rerender(<Poller look={look} everyMs={10_000} />);
  vi.advanceTimersByTime(9999);
  expect(look).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(look).toHaveBeenCalledTimes(2);

  rerender(<Poller look={look} everyMs={undefined} />);
  expect(vi.getTimerCount()).toBe(0);
  rerender(<Poller look={look} everyMs={1000} />);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test('polls with the latest function', () => {
  vi.useFakeTimers();
  const [first, second] = [vi.fn(), vi.fn()];
  const { rerender } = render(<Poller look={first} everyMs={1000} />);
  rerender(<Poller look={second} everyMs={1000} />);
  vi.advanceTimersByTime(1000);

  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledTimes(1);
});
