import { expect, test } from 'vitest';
import { showsPurchases } from './use-purchase-feed.tsx';

test.each([
  '/',
  '/index',
  '/v5',
  '/neo',
  '/arceusxv3',
  '/rosaverx',
  '/key-system-1',
  '/rosaverx/key-system-getkey',
  '/gate',
])('purchases are shown on %s', (pathname) => {
  expect(showsPurchases(pathname)).toBe(true);
});

test.each(['/plans', '/resellers', '/privacy-policy', '/encrypter', '/payment-failed'])(
  'no purchase is shown on %s',
  (pathname) => {
    expect(showsPurchases(pathname)).toBe(false);
  },
);
