import { expect, test } from 'vitest';
import { BARS, barsOf } from './player.ts';

test('without sound every bar is at zero', () => {
  expect(barsOf(new Uint8Array(1024))).toEqual(Array.from({ length: BARS }, () => 0));
});

test('no two bars share a frequency band', () => {
  const heardBy = Array.from({ length: 1024 }, (_, band) => {
    const spectrum = new Uint8Array(1024);
    spectrum[band] = 200;
    return barsOf(spectrum).flatMap((level, bar) => (level > 0 ? [bar] : []));
  });

  expect(heardBy.every((bars) => bars.length <= 1)).toBe(true);
  expect(new Set(heardBy.flat()).size).toBe(BARS);
});
