import { isIPv6 } from 'node:net';

/**
 * The network that an address belongs to: its /24 for IPv4, its /48 for IPv6, which is what one household
 * or one carrier's gateway tends to get.
 * @returns the network's prefix as text, for counting; not an address
 */
export function networkOf(address: string): string {
  const ipv4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (ipv4) return ipv4;
  if (!isIPv6(address)) return address;

  // The first three groups, with those that :: leaves out.
  const [head = '', tail = ''] = address.split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = address.includes('::') ? Array<string>(8 - before.length - after.length).fill('0') : [];
  return [...before, ...zeros, ...after]
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
