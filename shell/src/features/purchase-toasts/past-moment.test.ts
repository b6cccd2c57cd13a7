import { expect, test } from 'vitest';
import { pastMomentOf } from './past-moment.ts';

const NOW = new Date(2026, 2, 1, 15, 30);

test.each([
  ['a minute ago', new Date(2026, 2, 1, 15, 29), 'Today at 3:29 PM'],
  ['the first minute of today', new Date(2026, 2, 1, 0, 5), 'Today at 12:05 AM'],
  ['the last minute of yesterday, in another month', new Date(2026, 1, 28, 23, 59), 'Yesterday at 11:59 PM'],
  ['the day before', new Date(2026, 1, 27, 12, 0), '27/02/2026 at 12:00 PM'],
  ['another year', new Date(2024, 11, 3, 9, 7), '03/12/2024 at 9:07 AM'],
])('%s', (_what, at, words) => {
  // Some engines put a narrow no-break space before AM and PM.
  expect(pastMomentOf(at, NOW).replace(/\s/g, ' ')).toBe(words);
});
