/** The median of some numbers; NaN when there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [below = NaN, above = NaN] = sorted.slice((sorted.length - 1) >> 1, half + 1);
  return sorted.length % 2 === 1 ? below : (below + above) / 2;
}
