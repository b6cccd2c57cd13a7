import type { Purchase } from '@app/contracts/purchases';
import { expect, test } from 'vitest';
import { BETWEEN_TOASTS_MS, purchaseAt, TOAST_STAYS_MS } from './purchase-loop.ts';

const purchase = (name: string): Purchase => ({ name, timestamp: 0, location: 'Rome', country_code: 'it' });

test('purchases are shown in order, the first again after the last', () => {
  const purchases = [purchase('a'), purchase('b'), purchase('c')];
  const shown = [0, 1, 2, 3, 4].map((turn) => purchaseAt(purchases, turn)?.name);

  expect(shown).toEqual(['a', 'b', 'c', 'a', 'b']);
});

test('without purchases there is nothing to show on any turn', () => {
  expect([0, 1, 2].map((turn) => purchaseAt([], turn))).toEqual([undefined, undefined, undefined]);
});

test('a toast is gone before the next one appears', () => {
  expect([BETWEEN_TOASTS_MS, TOAST_STAYS_MS]).toEqual([8000, 5000]);
});
