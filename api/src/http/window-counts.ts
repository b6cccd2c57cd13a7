const ROWS = 4;
const CELLS = 2 ** 16;
const BYTES_OF_A_PLACE = 2;

/** How often a key was seen in the window that runs, and how long that window still is. */
export interface WindowCount {
  count: number;
  msLeft: number;
}

/**
 * Counts how often each of any number of keys is seen within a window of time, in one megabyte whatever comes:
 * a count-min sketch with conservative update. A key has a cell in each row; its count is that of its least used cell.
 * So nothing is ever evicted, no count is too low, and one is too high only if others share all of a key's cells,
 * which takes many more keys in one window than there are cells.
 * @param windowMs how long a window is; the first begins at once, and all keys begin anew with each
 */
export function createWindowCounts(windowMs: number, now: () => number) {
  const cells = new Uint32Array(ROWS * CELLS);
  const begun = now();
  let current = 0;

  return {
    /** @param hash at least eight bytes that nobody outside can foresee, so that nobody can aim at another's cells */
    add(hash: Buffer): WindowCount {
      const elapsed = now() - begun;
      const window = Math.floor(elapsed / windowMs);
      if (window !== current) {
        cells.fill(0);
        current = window;
      }

      const places = Array.from({ length: ROWS }, (_, row) => row * CELLS + hash.readUInt16LE(row * BYTES_OF_A_PLACE));
      const count = Math.min(...places.map((place) => cells[place] ?? 0)) + 1;
      for (const place of places) cells[place] = Math.max(cells[place] ?? 0, count);

      return { count, msLeft: (window + 1) * windowMs - elapsed };
    },
  };
}
