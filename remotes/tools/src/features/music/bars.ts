/** How many bars stand for what is heard. */
export const BARS = 16;

/** The bands of a 2048-point spectrum that the first bar begins and the last one ends with: about 70 Hz to 6 kHz. */
const FIRST = 3;
const END = 256;

/** The loudest band of each bar. An octave takes as much room wherever it lies, as it does for the ear. */
export function barsOf(spectrum: Uint8Array): number[] {
  return Array.from({ length: BARS }, (_, bar) => Math.max(...spectrum.subarray(bandAt(bar), bandAt(bar + 1))));
}

function bandAt(bar: number): number {
  return Math.round(FIRST * (END / FIRST) ** (bar / BARS));
}
