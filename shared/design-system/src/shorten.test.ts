import { expect, test } from 'vitest';
import { shorten } from './shorten.ts';

test('a long value keeps its beginning and its end', () => {
  expect(shorten('8f14e45fceea167a5a36dedd4bea2543')).toBe('8f14e45f…2543');
});

test('a value that would hardly get shorter stays whole', () => {
  expect(shorten('8f14e45fceea1')).toBe('8f14e45fceea1');
});
