import { expect, test } from 'vitest';
import { nextReset } from './reset-links.ts';

const DAY = 24 * 60 * 60 * 1000;
const AT = 1000 * DAY;
const LIMITS = { resetPauseMs: 7 * DAY, resetsIn30Days: 3 };

test.each([
  { why: 'nothing was reset', ago: [], next: null },
  { why: 'the last reset was almost seven days ago', ago: [7 * DAY - 1], next: AT + 1 },
  { why: 'the last reset was seven days ago', ago: [7 * DAY], next: null },
  { why: 'two resets were in thirty days', ago: [8 * DAY, 16 * DAY], next: null },
  { why: 'three resets were in thirty days', ago: [8 * DAY, 16 * DAY, 24 * DAY], next: AT + 6 * DAY },
  { why: 'the first of three was thirty days ago', ago: [8 * DAY, 16 * DAY, 30 * DAY], next: null },
  { why: 'the later one of both limits decides', ago: [29 * DAY, 28 * DAY, 1 * DAY], next: AT + 6 * DAY },
])('$why', ({ ago, next }) => {
  const done = ago.map((ms) => AT - ms);

  expect(nextReset(done, LIMITS, AT)).toBe(next);
  expect(nextReset([...done].reverse(), LIMITS, AT)).toBe(next);
});
