import { expect, test } from 'vitest';
import { readPurchases } from './fetch-purchases.ts';

const PURCHASE = { name: 'Ada', timestamp: 1, location: 'London', country_code: 'gb' };

test('an array of purchases is accepted', () => {
  expect(readPurchases([PURCHASE])).toEqual([PURCHASE]);
});

test.each([null, {}, { 0: PURCHASE, length: 1 }, 'text', 7])('%j is not an array and gives no purchases', (body) => {
  expect(readPurchases(body)).toEqual([]);
});

test('an invalid purchase is left out', () => {
  expect(readPurchases([null, { name: 'Eve' }, PURCHASE])).toEqual([PURCHASE]);
  for (const field of Object.keys(PURCHASE))
    expect(readPurchases([{ ...PURCHASE, [field]: undefined }, PURCHASE])).toEqual([PURCHASE]);
});
