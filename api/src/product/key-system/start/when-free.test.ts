import { expect, test } from 'vitest';
import { laterOf, whenFree } from './open-run.ts';

const HOUR = 60 * 60 * 1000;

test('an hourly limit lets one more through when enough of those before are an hour old', () => {
  expect(whenFree([1000], 2)).toBeUndefined();
  expect(whenFree([3000, 1000, 2000], 2)).toBe(2000 + HOUR);
});

test('of two limits the one that ends later counts', () => {
  expect([
    laterOf(1000, 2000),
    laterOf(2000, 1000),
    laterOf(1000, undefined),
    laterOf(undefined, 2000),
    laterOf(undefined, undefined),
  ]).toEqual([2000, 2000, 1000, 2000, undefined]);
});
