import { expect, test } from 'vitest';
import { assess } from './against.ts';

test.each([
  ['held', 10, 11],
  ['missed', 10, 11.1],
])('a bar is %s when %d become %d', (verdict, before, now) => {
  expect(assess(before, now)).toEqual({ before, now, 'now/before': now / before, bar: 1.1, verdict });
});
