import { isIPv6 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** A part of the address space whose requests are counted together. */
export interface Subnet {
  /** As text, for counting; it is not an address. */
  prefix: string;
  /** How many times as much it may ask for as the narrowest one. */
  share: number;
}

/**
 * Who holds an IPv6 /48 has 65 536 /64, and who holds a /32 as many /48. A carrier's phones, though, are neighbours in
 * them as well, so a wider subnet has a larger share.
 */
const SHARE_OF_48 = 4;
const SHARE_OF_32 = 32;

/** The subnets that an address is counted in as that of one subscriber: itself; for IPv6 its /64, its /48 and its /32. */
export function subscribersOf(address: string): readonly Subnet[] {
  const narrowest = { prefix: ipKeyGenerator(address, 64), share: 1 };
  return narrowest.prefix.endsWith('/64')
    ? [narrowest, { prefix: networkOf(address), share: SHARE_OF_48 }, { prefix: wide(address), share: SHARE_OF_32 }]
    : [narrowest];
}

/** The subnets that an address is counted in as a part of its network: that, and for IPv6 its /32. */
export function networksOf(address: string): readonly Subnet[] {
  const network = { prefix: networkOf(address), share: 1 };
  const prefix = wide(address);
  return prefix.endsWith('/32') ? [network, { prefix, share: SHARE_OF_32 / SHARE_OF_48 }] : [network];
}

function wide(address: string): string {
  return ipKeyGenerator(address, 32);
}

/**
 * Finds the network of an address: its /24 for IPv4, its /48 for IPv6. One household, or one carrier's gateway, usually
 * has such a network.
 * @returns the prefix as text, for counting; it is not an address
 */
export function networkOf(address: string): string {
  const ipv4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (ipv4) return ipv4;
  if (!isIPv6(address)) return address;

  // The first three groups; `::` stands for groups of zero.
  const [head = '', tail = ''] = address.split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = address.includes('::') ? Array<string>(8 - before.length - after.length).fill('0') : [];
  return [...before, ...zeros, ...after]
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
