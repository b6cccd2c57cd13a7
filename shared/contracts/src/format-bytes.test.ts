import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [61, '61 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1500, '1.5 kB'],
  [1_940_000, '1.9 MB'],
  [2_000_000, '2 MB'],
  [170_400_000, '170 MB'],
  [2_400_000_000, '2.4 GB'],
  [1_500_000_000_000, '1500 GB'],
])('%d bytes are formatted as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
