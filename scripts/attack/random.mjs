/** Random choices that a seed repeats. Not for secrets. */
export function createRandom(seed) {
  let state = seed >>> 0;

  /** mulberry32: a number in [0, 1). */
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const int = (below) => Math.floor(next() * below);
  const letters = (alphabet, length) => Array.from({ length }, () => alphabet[int(alphabet.length)]).join('');

  return {
    int,
    pick: (values) => values[int(values.length)],
    hex: (length) => letters('0123456789abcdef', length),
    base64url: (length) => letters('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', length),
    shuffle(values) {
      const shuffled = [...values];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = int(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
      }
      return shuffled;
    },
    /** Choices of its own, which do not depend on what else happens at the same time. */
    fork: (label) => createRandom(hashOf(`${seed}/${label}`)),
  };
}

/** FNV-1a. */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193);
  return hash >>> 0;
}
