export const BARS = 16;

/** The first band of the first bar, and the band after the last bar: about 70 Hz to 6 kHz of a 2048-point FFT. */
const FIRST = 3;
const END = 256;

/**
 * The level of each bar, from 0 to 255: the loudest of its bands. The scale is logarithmic, so that each octave has the
 * same width, as in human hearing.
 * @param spectrum the levels of the bands, from 0 to 255
 */
export function barsOf(spectrum: Uint8Array): number[] {
  return Array.from({ length: BARS }, (_, bar) => Math.max(...spectrum.subarray(bandAt(bar), bandAt(bar + 1))));
}

function bandAt(bar: number): number {
  return Math.round(FIRST * (END / FIRST) ** (bar / BARS));
}
