import { isIPv6 } from 'node:net';

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
