import { expect, test, vi } from 'vitest';
import { randomId } from './random-id.ts';

test('ids sort by when they were made, and no two are alike', () => {
  vi.useFakeTimers();
  try {
    const ids = Array.from({ length: 100 }, () => {
      vi.advanceTimersByTime(1);
      return randomId();
    });

    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(-22))).size).toBe(100);
  } finally {
    vi.useRealTimers();
  }
});
