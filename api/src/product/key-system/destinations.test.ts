import { expect, test } from 'vitest';
import { FIRST_STEP, destinationUrl, redirectTo, resolveDestination, type Destination } from './destinations.ts';

const NOW = Date.UTC(2027, 0, 2, 3, 4, 5);
const WHO = { hwid: 'device-1234', zone: 'zone-1', os: 'ios' } as const;

test.each<{ destination: Destination; address: string }>([
  { destination: { page: 'step', step: 2 }, address: '/key-system-2' },
  { destination: { page: 'step', step: 2, advertiser: 'workink' }, address: '/key-system-2?advertiser=workink' },
  {
    destination: {
      page: 'step',
      step: 2,
      advertiser: 'workink',
      notice: 'KS_LIMIT',
      wait: true,
      run: 'new',
      until: NOW,
    },
    address: '/key-system-2?advertiser=workink&e=KS_LIMIT&wait=1&run=new&until=2027-01-02T03%3A04%3A05.000Z',
  },
  { destination: { page: 'getkey' }, address: '/key-system-getkey' },
  { destination: { page: 'bypass', reason: 'KS_BLOCKED' }, address: '/key-system-bypass?r=KS_BLOCKED' },
])('the destination $destination has the address $address', ({ destination, address }) => {
  expect(destinationUrl('main', destination)).toBe(address);
});

test('a destination address contains the device, zone and system of its visitor', () => {
  expect(destinationUrl('main', { page: 'getkey' }, WHO)).toBe(
    '/key-system-getkey?hwid=device-1234&zone=zone-1&os=ios',
  );
  expect(destinationUrl('companion', { page: 'step', step: 3 }, { zone: 'zone-1' })).toBe(
    '/rosaverx/key-system-3?zone=zone-1',
  );
});

test('a run of the main app with a device and without a zone starts at the gate, else at step 1', () => {
  const begin = (visitor: Parameters<typeof destinationUrl>[2], app: 'main' | 'companion' = 'main') =>
    destinationUrl(app, FIRST_STEP, visitor);

  expect(begin({ hwid: 'device-1234', zone: '' })).toBe('/gate?hwid=device-1234');
  expect(begin({ hwid: 'device-1234', zone: 'z' })).toBe('/key-system-1?hwid=device-1234&zone=z');
  expect(begin(undefined)).toBe('/key-system-1');
  expect(begin({ hwid: 'device-1234', zone: '' }, 'companion')).toBe('/rosaverx/key-system-1?hwid=device-1234');
  expect(destinationUrl('main', { page: 'step', step: 1 }, { hwid: 'device-1234' })).toBe(
    '/key-system-1?hwid=device-1234',
  );
  expect(destinationUrl('main', { page: 'getkey' }, { hwid: 'device-1234' })).toBe(
    '/key-system-getkey?hwid=device-1234',
  );
});

test.each([
  { state: 'completed', expiresAt: NOW, leadsTo: { page: 'getkey' } },
  { state: 'blocked', expiresAt: NOW + 1, leadsTo: { page: 'bypass', reason: 'KS_BLOCKED' } },
  { state: 'cancelled', expiresAt: NOW + 1, leadsTo: { page: 'step', step: 1, begins: true } },
  { state: 'expired', expiresAt: NOW, leadsTo: { page: 'step', step: 1, begins: true } },
  { state: 'open', expiresAt: NOW, leadsTo: { page: 'step', step: 1, begins: true, notice: 'KS_EXPIRED' } },
  { state: 'open', expiresAt: NOW + 1, leadsTo: { page: 'step', step: 2, advertiser: 'workink' } },
] as const)('a run that is $state until $expiresAt leads its visitor to $leadsTo', ({ state, expiresAt, leadsTo }) => {
  const run = { appId: 'main', step: 2, state, expiresAt } as const;

  expect(redirectTo(resolveDestination(run, NOW, 'workink'))).toEqual({ kind: 'destination', destination: leadsTo });
});
