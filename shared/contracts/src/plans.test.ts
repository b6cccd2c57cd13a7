import { expect, test } from 'vitest';
import { formatPrice, PLANS } from './plans.ts';

test('plans have the prices of the specification, with a decimal comma', () => {
  expect(PLANS.map(({ mode, priceCents, days }) => [mode, formatPrice(priceCents), days])).toEqual([
    [1, '0,99\u00a0€', 7],
    [2, '2,99\u00a0€', 30],
    [3, '14,99\u00a0€', 365],
  ]);
});
