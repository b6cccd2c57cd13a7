import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePolling } from './use-query.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function see(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
}

function Poller({ look, everyMs }: { look: () => void; everyMs: number | undefined }) {
  usePolling(look, everyMs);
  return null;
}

test('polling repeats the call while the page is visible', () => {
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
  const [first, second] = [vi.fn(), vi.fn()];
  const { rerender } = render(<Poller look={first} everyMs={1000} />);
  rerender(<Poller look={second} everyMs={1000} />);
  vi.advanceTimersByTime(1000);

  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledTimes(1);
});
