import { fireEvent, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useDebouncedResize } from './use-debounced-resize.tsx';

beforeEach(() => void vi.useFakeTimers());

test('several resizes in a row call back once, 250 ms after the last', () => {
  const call = vi.fn();
  renderHook(() => useDebouncedResize(call));

  fireEvent(window, new Event('resize'));
  vi.advanceTimersByTime(200);
  fireEvent(window, new Event('resize'));
  vi.advanceTimersByTime(249);
  expect(call).not.toHaveBeenCalled();

  vi.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledOnce();
});

test('no callback runs after the component is gone', () => {
  const call = vi.fn();
  const { unmount } = renderHook(() => useDebouncedResize(call));

  fireEvent(window, new Event('resize'));
  unmount();
  vi.advanceTimersByTime(1000);
  expect(call).not.toHaveBeenCalled();
});
