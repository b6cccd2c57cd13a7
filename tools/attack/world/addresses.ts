import type { Random } from './random.ts';

/** Gives one address after another. */
export interface Addresses {
  next: () => string;
}

/**
 * Gives random addresses in a fixed number of networks. Hostile and honest players get addresses in the same networks,
 * because mobile carriers put many people behind one.
 */
export function createAddresses(random: Random, count: number): Addresses {
  const networks = Array.from({ length: count }, (_, nth) =>
    nth % 4 === 3 ? `2001:db8:${nth.toString(16)}::` : `10.${Math.floor(nth / 250)}.${nth % 250}.`,
  );
  return { next: () => `${random.pick(networks)}${1 + random.int(250)}` };
}
