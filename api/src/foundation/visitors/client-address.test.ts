import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress, networksOf, subscribersOf } from './client-identity.ts';

const request = {
  socket: { remoteAddress: '10.0.0.1' },
  headers: { 'x-forwarded-for': '1.1.1.1, 203.0.113.7' },
} as unknown as IncomingMessage;

test('threat 33: without a proxy of ours, what a request says of itself is not believed', () => {
  expect(clientAddress(request, 0)).toBe('10.0.0.1');
});

test('threat 33: behind one proxy of ours, only what that proxy added is believed', () => {
  expect(clientAddress(request, 1)).toBe('203.0.113.7');
});

test.each([
  { said: '203.0.113.7:40001', address: '203.0.113.7' },
  { said: '[2001:db8::1]:40001', address: '2001:db8::1' },
  { said: '[2001:db8::1]', address: '2001:db8::1' },
  { said: '2001:db8::1', address: '2001:db8::1' },
  { said: '::ffff:203.0.113.7', address: '::ffff:203.0.113.7' },
  { said: 'unknown', address: 'unknown' },
])('a port that a proxy adds does not make another address: $said', ({ said, address }) => {
  expect(clientAddress({ ...request, headers: { 'x-forwarded-for': said } } as unknown as IncomingMessage, 1)).toBe(
    address,
  );
});

test.each([0, 1])('a connection that is gone has no address, with %i proxies, and is counted all the same', (hops) => {
  const gone = { socket: { remoteAddress: undefined }, headers: {} } as unknown as IncomingMessage;

  expect(clientAddress(gone, hops)).toBe('');
  expect([...subscribersOf(''), ...networksOf('')].map(({ prefix }) => prefix)).toEqual(['', '']);
});
