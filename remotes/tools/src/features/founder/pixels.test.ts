import { expect, test } from 'vitest';
import { pathsOf } from './pixels.ts';

test('pixels of one letter in a row are one rectangle, and points are none', () => {
  expect(pathsOf(['.aab', 'a...'])).toEqual([
    ['a', 'M1 0h2v1h-2zM0 1h1v1h-1z'],
    ['b', 'M3 0h1v1h-1z'],
  ]);
});
