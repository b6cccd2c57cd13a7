export interface Random {
  /** A whole number from 0 (included) to the limit (not included). */
  int: (below: number) => number;
  /** One of the values. Throws when there are none. */
  pick: <Value>(values: readonly Value[]) => Value;
  /** A text of hexadecimal digits. */
  hex: (length: number) => string;
  base64url: (length: number) => string;
  shuffle: <Value>(values: readonly Value[]) => Value[];
  /** A new generator, made from the seed and the label. Its numbers do not depend on calls of this one. */
  fork: (label: string) => Random;
}

/** A random generator. The same seed gives the same numbers. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  /** A number from 0 (included) to 1 (not included), by the algorithm mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const int = (below: number) => Math.floor(next() * below);
  const letters = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(int(alphabet.length))).join('');

  function pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new Error('There is nothing to pick from');
    return values[int(values.length)] as Value;
  }

  return {
    int,
    pick,
    hex: (length) => letters('0123456789abcdef', length),
    base64url: (length) => letters('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', length),
    shuffle<Value>(values: readonly Value[]) {
      const shuffled = [...values];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = int(last + 1);
        const [one, two] = [shuffled[last], shuffled[other]] as [Value, Value];
        [shuffled[last], shuffled[other]] = [two, one];
      }
      return shuffled;
    },
    fork: (label) => createRandom(hashOf(`${seed}/${label}`)),
  };
}

/** The FNV-1a hash of a text, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/**
 * Gives random addresses in a fixed number of networks. Hostile and honest players get addresses in the same networks,
 * because mobile carriers put many people behind one.
 */
export function createAddresses(random: Random, count: number): { next: () => string } {
  const networks = Array.from({ length: count }, (_, nth) =>
    nth % 4 === 3 ? `2001:db8:${nth.toString(16)}::` : `10.${Math.floor(nth / 250)}.${nth % 250}.`,
  );
  return { next: () => `${random.pick(networks)}${1 + random.int(250)}` };
}
