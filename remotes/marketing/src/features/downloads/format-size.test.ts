import { expect, test } from 'vitest';
import { formatSize } from './format-size.ts';

test.each([
  [0, '0 B'],
  [61, '61 B'],
  [1500, '1.5 KB'],
  [170_000_000, '170 MB'],
  [2_400_000_000, '2.4 GB'],
])('%d bytes are %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
