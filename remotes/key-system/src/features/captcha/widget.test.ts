import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withRetries } from './widget.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function failing(times: number) {
  let left = times;
  return vi.fn(() => (left-- > 0 ? Promise.reject(new Error(`failed, ${left} to go`)) : Promise.resolve('loaded')));
}

test.each([0, 1, 2])('a load that fails %d times succeeds at last', async (times) => {
  const load = failing(times);
  const loaded = withRetries(load);
  await vi.runAllTimersAsync();

  expect(await loaded).toBe('loaded');
  expect(load).toHaveBeenCalledTimes(times + 1);
});

test('a load that fails three times is given up', async () => {
  const load = failing(3);
  const failed = expect(withRetries(load)).rejects.toThrow('failed, 0 to go');
  await vi.runAllTimersAsync();

  await failed;
  expect(load).toHaveBeenCalledTimes(3);
});

test('a load that came too late is not tried again: it was asked for twice', async () => {
  const load = vi.fn(() => Promise.reject(new DOMException('No answer', 'TimeoutError')));

  await expect(withRetries(load)).rejects.toThrow('No answer');
  expect(load).toHaveBeenCalledTimes(1);
});
