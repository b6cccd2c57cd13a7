import { expect, test, vi } from 'vitest';
import { idsFrom, randomId } from './secrets.ts';

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

test('a moment stands between the ids before it and those after it', () => {
  const at = 1_800_000_000_000;

  expect(randomId(at - 1) < idsFrom(at)).toBe(true);
  expect(idsFrom(at) < randomId(at)).toBe(true);
});
