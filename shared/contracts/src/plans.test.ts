import { expect, test } from 'vitest';
import { countSavings, formatPrice, PLANS } from './plans.ts';

test('plans have the prices of the specification, with a decimal comma', () => {
  expect(PLANS.map(({ mode, priceCents, days }) => [mode, formatPrice(priceCents), days])).toEqual([
    [1, '0,99\u00a0€', 7],
    [2, '2,99\u00a0€', 30],
    [3, '14,99\u00a0€', 365],
  ]);
});

test('a plan saves the steps of a key for each of its days, and the hours that they take', () => {
  expect(PLANS.map(countSavings)).toEqual([
    { steps: 42, hours: 1 },
    { steps: 180, hours: 4 },
    { steps: 2190, hours: 49 },
  ]);
});
