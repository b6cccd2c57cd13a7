import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test.each([
  [1, '1 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1_940_000, '1.9 MB'],
  [2_000_000, '2 MB'],
  [170_400_000, '170 MB'],
  [1_500_000_000_000, '1500 GB'],
])('%d bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
