import { expect, test } from 'vitest';
import { BARS, barsOf } from './bars.ts';

test('silence is bars that lie down', () => {
  expect(barsOf(new Uint8Array(1024))).toEqual(Array.from({ length: BARS }, () => 0));
});

test('every bar hears something, and no band is heard by two', () => {
  const heardBy = Array.from({ length: 1024 }, (_, band) => {
    const spectrum = new Uint8Array(1024);
    spectrum[band] = 200;
    return barsOf(spectrum).flatMap((level, bar) => (level > 0 ? [bar] : []));
  });

  expect(heardBy.every((bars) => bars.length <= 1)).toBe(true);
  expect(new Set(heardBy.flat()).size).toBe(BARS);
});
