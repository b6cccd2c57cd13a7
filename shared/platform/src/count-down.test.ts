import { beforeEach, expect, test, vi } from 'vitest';
import { countDown } from './count-down.ts';

beforeEach(() => void vi.useFakeTimers());

test('calls back once after its seconds, and leaves no timer', () => {
  const act = vi.fn();
  countDown(3, act);
  vi.advanceTimersByTime(2999);
  expect(act).not.toHaveBeenCalled();

  vi.advanceTimersByTime(60_000);
  expect(act).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test('does not count the time while the page is frozen', () => {
  const act = vi.fn();
  countDown(3, act);
  vi.advanceTimersByTime(2500);
  // The page is away for an hour, and its timers with it.
  const awake = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
  vi.advanceTimersByTime(500);
  expect(act).not.toHaveBeenCalled();

  awake.mockReturnValue(performance.now() + 1000);
  vi.advanceTimersByTime(1000);
  expect(act).toHaveBeenCalledOnce();
});

test('does not call back after it was stopped', () => {
  const act = vi.fn();
  countDown(3, act)();
  vi.advanceTimersByTime(60_000);

  expect(act).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test('does not count a tick that comes a second late', () => {
  const act = vi.fn();
  countDown(1, act);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2000);
  vi.advanceTimersByTime(1000);

  expect(act).not.toHaveBeenCalled();
});
