import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from './use-debounced-resize.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('several resizes in a row call back once, 250 ms after the last', () => {
  const call = vi.fn();
  const { schedule } = debounce(call, 250);

  schedule();
  vi.advanceTimersByTime(200);
  schedule();
  vi.advanceTimersByTime(249);
  expect(call).not.toHaveBeenCalled();

  vi.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledOnce();
});

test('a cancelled callback is not called', () => {
  const call = vi.fn();
  const { schedule, cancel } = debounce(call, 250);

  schedule();
  cancel();
  vi.advanceTimersByTime(1000);
  expect(call).not.toHaveBeenCalled();
});
