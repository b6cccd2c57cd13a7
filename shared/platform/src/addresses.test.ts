import { expect, test } from 'vitest';
import { withDevice, withQuery } from './addresses.ts';

const DEVICE = '?hwid=device-1&zone=zone-1&os=IOS';

test.each([
  { to: '/neo', search: DEVICE, leads: '/neo?hwid=device-1&zone=zone-1&os=ios' },
  { to: '/v5#compare', search: DEVICE, leads: '/v5?hwid=device-1&zone=zone-1&os=ios#compare' },
  { to: '/v5#a\nb', search: '?hwid=device-1', leads: '/v5?hwid=device-1#a\nb' },
  { to: '#downloads', search: '?zone=zone-1', leads: '?zone=zone-1#downloads' },
  { to: '/plans?mode=1', search: '?hwid=device-1', leads: '/plans?mode=1&hwid=device-1' },
  {
    to: '/key-system-1?hwid=device-2&e=KS_STEP',
    search: '?hwid=device-1',
    leads: '/key-system-1?hwid=device-2&e=KS_STEP',
  },
  { to: '/plans', search: '?advertiser=rinku&e=KS_STEP', leads: '/plans' },
])('with the query $search a link to $to goes to $leads', ({ to, search, leads }) => {
  expect(withDevice(to, search)).toBe(leads);
});

test.each(['?hwid=<script>', '?hwid=short', `?hwid=${'x'.repeat(129)}`, '?zone=%0d%0a', '?zone=', '?os=amiga'])(
  'a link does not pass on the invalid parameter in %s',
  (search) => {
    expect(withDevice('/plans', search)).toBe('/plans');
  },
);

test.each(['https://shop.example/', '//evil.example/plans', 'roblox://', 'mailto:a@b.example', 'data:text/html,x'])(
  'a link to %s does not carry the device',
  (to) => {
    expect(withDevice(to, DEVICE)).toBe(to);
  },
);

test('a query leaves out undefined and empty values', () => {
  expect(withQuery('/api/x', { hwid: 'device-1', zone: '', os: undefined, step: 2 })).toBe(
    '/api/x?hwid=device-1&step=2',
  );
  expect(withQuery('/api/x', { zone: undefined })).toBe('/api/x');
});

test('values are escaped', () => {
  expect(withQuery('/api/x', { zone: 'a b&c=d' })).toBe('/api/x?zone=a+b%26c%3Dd');
});
