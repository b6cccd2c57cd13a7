import { expect, test, vi } from 'vitest';
import { countAt, formatCount } from './count-up.tsx';

test.each([900, 1200])('a count of %i ms starts at zero and ends at its value', (duration) => {
  expect(countAt(500, 0, duration)).toBe(0);
  expect(countAt(500, duration, duration)).toBe(500);
  expect(countAt(500, duration * 3, duration)).toBe(500);
});

test('the count never decreases, and passes half of its value before half of its time', () => {
  const counts = [0, 100, 300, 600, 899].map((elapsed) => countAt(500, elapsed, 900));

  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(countAt(500, 450, 900)).toBeGreaterThan(250);
});

test('trailing zeros of decimals stay, so that the width stays the same', () => {
  expect([formatCount(4, 1), formatCount(99.94, 1)]).toEqual(['4.0', '99.9']);
});

test('thousands separators start at 10,000, as the text "1000+" requires', () => {
  expect([1000, 9999.9, 12345, 1234567].map((count) => formatCount(count, 0))).toEqual([
    '1000',
    '10,000',
    '12,345',
    '1,234,567',
  ]);
  expect(formatCount(12345.678, 2)).toBe('12,345.68');
});

test('on a translated page the separators are those of its language, from 10,000 too', () => {
  vi.stubGlobal('translations', { locale: 'vi', texts: {} });

  expect([formatCount(4.2, 1), formatCount(1000, 0), formatCount(12345, 0)]).toEqual(['4,2', '1000', '12.345']);
});
