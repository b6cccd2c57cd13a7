import { expect, test } from 'vitest';
import { holderOf, networkOf, networksOf, subscribersOf } from './client-identity.ts';

test.each([
  ['203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113'],
  ['2001:db8:12:34::1', '2001:db8:12'],
  ['2001:0db8:0012:ffff:1:2:3:4', '2001:db8:12'],
  ['2001:db8::1', '2001:db8:0'],
  ['::1', '0:0:0'],
  ['', ''],
])('%j belongs to %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['203.0.115.7', '203.0.112/22'],
  ['::ffff:203.0.113.7', '203.0.112/22'],
  ['2001:dbf:12:34::1', '2001:db8::/29'],
  ['', ''],
])('the network of %j is held with the others of %j', (address, holder) => {
  expect(holderOf(address)).toBe(holder);
});

test.each([
  { address: '203.0.113.7', subscribers: [1], networks: [1] },
  { address: '::ffff:203.0.113.7', subscribers: [1], networks: [1] },
  { address: '2001:db8:12:34::1', subscribers: [1, 4, 32], networks: [1, 8] },
  { address: '', subscribers: [1], networks: [1] },
])(
  '$address is counted in subnets with the shares $subscribers, or $networks',
  ({ address, subscribers, networks }) => {
    for (const [subnets, shares] of [
      [subscribersOf(address), subscribers],
      [networksOf(address), networks],
    ] as const) {
      expect(subnets.map(({ share }) => share)).toEqual(shares);
      expect(new Set(subnets.map(({ prefix }) => prefix)).size).toBe(shares.length);
    }
  },
);
