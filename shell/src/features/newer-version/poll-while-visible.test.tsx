import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollWhileVisible } from './poll-while-visible.ts';

const MINUTE = 60_000;

let isHidden = false;
let stopPolling: () => void;
const ask = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  isHidden = false;
  ask.mockReset();
  stopPolling = pollWhileVisible(ask);
});

afterEach(() => {
  stopPolling();
});

function setHidden(hidden: boolean) {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

test('a visible tab polls every 30 minutes', () => {
  vi.advanceTimersByTime(30 * MINUTE - 1);
  expect(ask).not.toHaveBeenCalled();

  vi.advanceTimersByTime(1);
  expect(ask).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(30 * MINUTE);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('a tab that was hidden for 10 minutes polls as soon as it is visible', () => {
  setHidden(true);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(ask).not.toHaveBeenCalled();

  setHidden(false);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('a tab that was hidden briefly keeps its interval', () => {
  vi.advanceTimersByTime(25 * MINUTE);
  setHidden(true);
  vi.advanceTimersByTime(4 * MINUTE);
  setHidden(false);
  expect(ask).not.toHaveBeenCalled();

  vi.advanceTimersByTime(MINUTE);
  expect(ask).toHaveBeenCalledTimes(1);
});
