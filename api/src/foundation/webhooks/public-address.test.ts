import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '192.167.255.255', '2606:4700:4700::1111', '2a00:1450:4001:830::200e'])(
  'accepts %s as a public address',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', 'fe80::1', 'fe80::1%eth0'],
  ...['fc00::1', 'fd00:ec2::254', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1'],
  ...['', 'localhost', '127.1', '2130706433', '0x7f000001'],
])('rejects %j as a public address', (address) => expect(isPublicAddress(address)).toBe(false));
