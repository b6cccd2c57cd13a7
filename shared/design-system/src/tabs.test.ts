import { expect, test } from 'vitest';
import { indexAfterKey } from './tabs.tsx';

test.each([
  { key: 'ArrowRight', from: 0, to: 1 },
  { key: 'ArrowRight', from: 2, to: 0 },
  { key: 'ArrowLeft', from: 0, to: 2 },
  { key: 'Home', from: 2, to: 0 },
  { key: 'End', from: 0, to: 2 },
  { key: 'Tab', from: 1, to: undefined },
])('$key moves from tab $from of three to $to', ({ key, from, to }) => {
  expect(indexAfterKey(key, from, 3)).toBe(to);
});
