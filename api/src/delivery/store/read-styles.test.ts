import { expect, test } from 'vitest';
import { readStylesInThread, readStylesWithin } from './read-styles.ts';

const LONG_STYLESHEET = Array.from({ length: 5000 }, (_, nth) => `.a${String(nth)} { color: red }`).join('');

test('parsing stylesheets does not block the server, and each gets its own problems', async () => {
  const order: string[] = [];
  setTimeout(() => order.push('answered'));

  const found = await readStylesInThread([LONG_STYLESHEET, 'h1 { color: red }']);
  order.push('read');

  expect(order).toEqual(['answered', 'read']);
  expect(found).toEqual([[], [expect.objectContaining({ line: 1, column: 1 })]]);
});

test('parsing of stylesheets times out', async () => {
  expect(await readStylesWithin(1)([LONG_STYLESHEET])).toBeUndefined();
});
