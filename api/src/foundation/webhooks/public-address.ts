import { BlockList, isIP } from 'node:net';

/** What is not reached over the public internet, or not by one receiver (IANA's registries of special addresses). */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  // The host of a machine at Azure.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** Of IPv6 only global unicast is public, without documentation and what leads to IPv4 (Teredo, 6to4). */
const GLOBAL_IPV6 = ['2000::', 3] as const;
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special4 = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special4.addSubnet(network, prefix, 'ipv4');
const global6 = new BlockList();
global6.addSubnet(...GLOBAL_IPV6, 'ipv6');
const special6 = new BlockList();
for (const [network, prefix] of SPECIAL_IPV6) special6.addSubnet(network, prefix, 'ipv6');

/** Whether an IP address belongs to the public internet: not to this machine, a private network or a cloud's metadata. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special4.check(address, 'ipv4');
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
