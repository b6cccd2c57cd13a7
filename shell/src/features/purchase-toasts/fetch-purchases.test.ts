import { expect, test } from 'vitest';
import { readPurchases } from './fetch-purchases.ts';

const PURCHASE = { name: 'Ada', timestamp: 1, location: 'London', country_code: 'gb' };

test('an array of purchases is used as it is', () => {
  expect(readPurchases([PURCHASE])).toEqual([PURCHASE]);
});

test.each([null, {}, { 0: PURCHASE, length: 1 }, 'text', 7])('%j is no array, and ignored', (body) => {
  expect(readPurchases(body)).toEqual([]);
});

test('an entry that is no purchase is passed over', () => {
  expect(readPurchases([null, { name: 'Eve' }, PURCHASE])).toEqual([PURCHASE]);
});
