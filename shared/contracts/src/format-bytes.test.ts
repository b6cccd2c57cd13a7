import { expect, test, vi } from 'vitest';
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

test('an English size needs no data of languages, a Vietnamese one is written by them', () => {
  const asked = vi.spyOn(Number.prototype, 'toLocaleString');

  expect([formatBytes(1_940_000, 'en-GB'), asked.mock.calls.length]).toEqual(['1.9 MB', 0]);
  expect([formatBytes(1_940_000, 'vi'), asked.mock.calls.length]).toEqual(['1,9 MB', 1]);
});
