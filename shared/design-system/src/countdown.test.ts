import { expect, test } from 'vitest';
import { formatClock, formatSpoken } from './countdown.tsx';

const HOUR = 3_600_000;

test.each([
  { left: 24 * HOUR, clock: '24:00:00' },
  { left: 24 * HOUR - 1, clock: '24:00:00' },
  { left: 61_000, clock: '01:01' },
  { left: 1, clock: '00:01' },
  { left: 0, clock: '00:00' },
  { left: -5000, clock: '00:00' },
])('$left ms are $clock on the clock', ({ left, clock }) => {
  expect(formatClock(left)).toBe(clock);
});

test.each([
  { left: 23 * HOUR + 14 * 60_000 + 999, words: '23 hours and 14 minutes' },
  { left: HOUR, words: '1 hour' },
  { left: 60_000, words: '1 minute' },
  { left: 59_999, words: 'less than a minute' },
  { left: 0, words: 'no time left' },
])('$left ms are written as $words', ({ left, words }) => {
  expect(formatSpoken(left)).toBe(words);
});
