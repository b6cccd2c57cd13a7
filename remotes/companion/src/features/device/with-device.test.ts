import { expect, test } from 'vitest';
import { withDevice } from './with-device.ts';

test('device and zone travel along', () => {
  expect(withDevice('/plans', { hwid: 'device-1', zone: 'zone-1' })).toBe('/plans?hwid=device-1&zone=zone-1');
});

test('what an address does not name is left out', () => {
  expect(withDevice('/plans', { hwid: undefined, zone: undefined })).toBe('/plans');
  expect(withDevice('/plans', { hwid: 'device-1', zone: undefined })).toBe('/plans?hwid=device-1');
});

test('signs that mean something in an address are written so that they mean themselves', () => {
  const url = new URL(withDevice('/plans', { hwid: 'a&b=c d', zone: '#z+é' }), 'https://site.example');

  expect([url.searchParams.get('hwid'), url.searchParams.get('zone'), url.hash]).toEqual(['a&b=c d', '#z+é', '']);
});
