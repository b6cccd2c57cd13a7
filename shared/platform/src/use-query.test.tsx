import { act, cleanup, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePolling, useQuery } from './use-query.ts';

/** One request: whether it is still wanted, and how it is answered. */
interface Asked {
  name: string;
  signal: AbortSignal;
  answer: (data: string) => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

let asked: Asked[] = [];
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

const shown = () => screen.getByRole('status').textContent;
const askAgain = () => act(() => refetch());
const names = () => asked.map(({ name }) => name);

function see(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

beforeEach(() => {
  asked = [];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('data is loading, then ready', async () => {
  render(<Reader name="a" />);
  expect(shown()).toBe('loading ...');
  await asked[0]?.answer('first');

  expect(shown()).toBe('ready first');
  expect(names()).toEqual(['a']);
});

test('what cannot be had has failed, and can be asked for again', async () => {
  render(<Reader name="a" />);
  await asked[0]?.fail(new Error('no line'));
  expect(shown()).toBe('failed no line');

  askAgain();
  expect(shown()).toBe('failed no line ...');
  await asked[1]?.fail(new Error('still no line'));
  expect(shown()).toBe('failed still no line');
  askAgain();
  await asked[2]?.answer('first');
  expect(shown()).toBe('ready first');
});

test('without a key nothing is asked', () => {
  render(<Reader name={undefined} />);

  expect(shown()).toBe('loading');
  expect(asked).toEqual([]);
});

test('what is known stays while news are asked for, and when they do not come', async () => {
  render(<Reader name="a" />);
  await asked[0]?.answer('first');
  askAgain();
  expect(shown()).toBe('ready first ...');
  await asked[1]?.fail(new Error('no line'));
  expect(shown()).toBe('ready first');

  askAgain();
  await asked[2]?.answer('second');
  expect(shown()).toBe('ready second');
});

test('a request for news leaves the one before alone, and an old answer does not replace a newer one', async () => {
  render(<Reader name="a" />);
  askAgain();
  expect(asked[0]?.signal.aborted).toBe(false);
  await asked[1]?.answer('newer');
  expect(shown()).toBe('ready newer');

  await asked[0]?.answer('older');
  expect(shown()).toBe('ready newer');
});

test('an answer that is not the newest is shown until the newest is there', async () => {
  render(<Reader name="a" />);
  askAgain();
  await asked[0]?.answer('older');
  expect(shown()).toBe('ready older ...');

  await asked[1]?.answer('newer');
  expect(shown()).toBe('ready newer');
});

test('another key forgets what the last one gave, and aborts its requests', async () => {
  const { rerender } = render(<Reader name="a" />);
  await asked[0]?.answer('of a');
  askAgain();
  rerender(<Reader name="b" />);
  expect(shown()).toBe('loading ...');
  expect(asked[1]?.signal.aborted).toBe(true);
  expect(names()).toEqual(['a', 'a', 'b']);

  await asked[1]?.answer('late of a');
  expect(shown()).toBe('loading ...');
  await asked[2]?.answer('of b');
  expect(shown()).toBe('ready of b');
});

test('a failure that comes after its key is gone is not shown and not logged', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const { rerender } = render(<Reader name="a" logFailureAs="Nothing of a" />);
  rerender(<Reader name={undefined} logFailureAs="Nothing of a" />);
  expect(asked[0]?.signal.aborted).toBe(true);
  await asked[0]?.fail(new Error('aborted'));

  expect(shown()).toBe('loading');
  expect(log).not.toHaveBeenCalled();
});

test('requests are aborted when the component goes', () => {
  const { unmount } = render(<Reader name="a" />);
  unmount();

  expect(asked[0]?.signal.aborted).toBe(true);
});

test('a failure is logged where a page can do without the data, and an answer is not', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const failure = new Error('no line');
  render(<Reader name="a" logFailureAs="No video" />);
  await asked[0]?.fail(failure);
  expect(log.mock.calls).toEqual([['No video', failure]]);

  askAgain();
  await asked[1]?.answer('first');
  expect(log).toHaveBeenCalledTimes(1);
});

test('a failure that the page shows is not logged', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  render(<Reader name="a" />);
  await asked[0]?.fail(new Error('no line'));

  expect(log).not.toHaveBeenCalled();
});

test('coming back to the page asks again, where that is wanted', async () => {
  render(<Reader name="a" onReturn />);
  await asked[0]?.answer('first');
  see('hidden');
  expect(asked).toHaveLength(1);
  see('visible');
  expect(asked).toHaveLength(2);

  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })));
  expect(asked).toHaveLength(2);
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  expect(asked).toHaveLength(3);
});

test('where it is not wanted, coming back asks for nothing', async () => {
  render(<Reader name="a" />);
  await asked[0]?.answer('first');
  see('visible');

  expect(asked).toHaveLength(1);
});

test('an unmounted component no longer listens', () => {
  const { unmount } = render(<Reader name="a" onReturn />);
  unmount();
  const read = vi.fn(() => true);
  const isSeen = vi.spyOn(document, 'visibilityState', 'get');
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(Object.defineProperty(new Event('pageshow'), 'persisted', { get: read }));

  expect(isSeen).not.toHaveBeenCalled();
  expect(read).not.toHaveBeenCalled();
});

test('coming back to a key that is answered does not ask again, and to one that failed does', async () => {
  const { rerender } = render(<Reader name="a" />);
  await asked[0]?.fail(new Error('no line'));
  rerender(<Reader name={undefined} />);
  rerender(<Reader name="a" />);
  expect(names()).toEqual(['a', 'a']);
  await asked[1]?.answer('first');
  expect(shown()).toBe('ready first');

  rerender(<Reader name={undefined} />);
  expect(shown()).toBe('loading');
  rerender(<Reader name="a" />);
  expect(shown()).toBe('ready first');
  expect(names()).toEqual(['a', 'a']);
});

function Poller({ look, everyMs }: { look: () => void; everyMs: number | undefined }) {
  usePolling(look, everyMs);
  return null;
}

test('polling repeats the call while the page is visible', () => {
  vi.useFakeTimers();
  const look = vi.fn();
  render(<Poller look={look} everyMs={1000} />);
  vi.advanceTimersByTime(999);
  expect(look).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2001);
  expect(look).toHaveBeenCalledTimes(3);

  see('hidden');
  vi.advanceTimersByTime(5000);
  expect(look).toHaveBeenCalledTimes(3);
  see('visible');
  vi.advanceTimersByTime(1000);
  expect(look).toHaveBeenCalledTimes(4);
});

test('polling changes its pace, and stops when it is not wanted or the component goes', () => {
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

test('polling with another function calls that one', () => {
  vi.useFakeTimers();
  const [first, second] = [vi.fn(), vi.fn()];
  const { rerender } = render(<Poller look={first} everyMs={1000} />);
  rerender(<Poller look={second} everyMs={1000} />);
  vi.advanceTimersByTime(1000);

  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledTimes(1);
});
