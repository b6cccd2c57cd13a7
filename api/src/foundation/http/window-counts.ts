const ROWS = 4;
const CELLS = 2 ** 16;
const BYTES_OF_A_PLACE = 2;

/** How often a key was seen in the current window, and how many milliseconds of the window are left. */
export interface WindowCount {
  count: number;
  msLeft: number;
}

/**
 * Counts how often each key is seen in a window of time, in one megabyte for any number of keys: a count-min sketch
 * with conservative update. A key has a cell in each row, and its count is the smallest of its cells. So no key is ever
 * evicted and no count is too low. A count is too high only if other keys share all cells of the key, which takes many
 * more keys in one window than there are cells.
 * @param windowMs the length of a window; the first begins at once, and each window starts from zero
 * @param now the clock, in epoch milliseconds
 */
export function createWindowCounts(windowMs: number, now: () => number) {
  /** Made for the first key that is counted. */
  let cells: Uint32Array | undefined;
  const begun = now();
  let current = 0;

  /**
   * Begins the next window when this one is over.
   * @returns how many milliseconds of the window are left
   */
  function readClock(): number {
    const elapsed = now() - begun;
    const window = Math.floor(elapsed / windowMs);
    if (window !== current) {
      cells?.fill(0);
      current = window;
    }
    return (window + 1) * windowMs - elapsed;
  }

  return {
    /**
     * Counts a key once.
     * @param hash at least eight bytes of a keyed hash, so that nobody can choose another key's cells
     */
    add(hash: Buffer): WindowCount {
      const msLeft = readClock();
      const places = placesOf(hash);
      const counted = (cells ??= new Uint32Array(ROWS * CELLS));
      const count = Math.min(...places.map((place) => counted[place] ?? 0)) + 1;
      for (const place of places) counted[place] = Math.max(counted[place] ?? 0, count);

      return { count, msLeft };
    },
  };
}

/** The cell of a key in each row. */
function placesOf(hash: Buffer): number[] {
  return Array.from({ length: ROWS }, (_, row) => row * CELLS + hash.readUInt16LE(row * BYTES_OF_A_PLACE));
}
