import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress, holderOf, networkOf, networksOf, subscribersOf } from './client-identity.ts';

const request = {
  socket: { remoteAddress: '10.0.0.1' },
  headers: { 'x-forwarded-for': '1.1.1.1, 203.0.113.7' },
} as unknown as IncomingMessage;

test('threat 33: without a configured proxy, forwarded headers are ignored', () => {
  expect(clientAddress(request, 0)).toBe('10.0.0.1');
});

test('threat 33: behind one configured proxy, only the address added by that proxy is trusted', () => {
  expect(clientAddress(request, 1)).toBe('203.0.113.7');
});

test.each([
  { said: '203.0.113.7:40001', address: '203.0.113.7' },
  { said: '[2001:db8::1]:40001', address: '2001:db8::1' },
  { said: '[2001:db8::1]', address: '2001:db8::1' },
  { said: '2001:db8::1', address: '2001:db8::1' },
  { said: '::ffff:203.0.113.7', address: '::ffff:203.0.113.7' },
  { said: 'unknown', address: 'unknown' },
])('a port added by a proxy does not change the address: $said', ({ said, address }) => {
  expect(clientAddress({ ...request, headers: { 'x-forwarded-for': said } } as unknown as IncomingMessage, 1)).toBe(
    address,
  );
});

test.each([0, 1])('a closed connection has no address, with %i proxies, and is still counted', (hops) => {
  const gone = { socket: { remoteAddress: undefined }, headers: {} } as unknown as IncomingMessage;

  expect(clientAddress(gone, hops)).toBe('');
  expect([...subscribersOf(''), ...networksOf('')].map(({ prefix }) => prefix)).toEqual(['', '']);
});

test.each([
  ['203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113'],
  ['2001:db8:12:34::1', '2001:db8:12'],
  ['2001:0db8:0012:ffff:1:2:3:4', '2001:db8:12'],
  ['2001:db8::1', '2001:db8:0'],
  ['::1', '0:0:0'],
  ['', ''],
])('the network of %j is %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['203.0.115.7', '203.0.112/22'],
  ['::ffff:203.0.113.7', '203.0.112/22'],
  ['2001:dbf:12:34::1', '2001:db8::/29'],
  ['', ''],
])('the holder of the network of %j is %j', (address, holder) => {
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
