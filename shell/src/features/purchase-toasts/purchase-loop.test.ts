import type { Purchase } from '@app/contracts/purchases';
import { expect, test } from 'vitest';
import { advance, arrive, BETWEEN_TOASTS_MS, current, EMPTY_LOOP, TOAST_STAYS_MS } from './purchase-loop.ts';

const purchase = (name: string): Purchase => ({ name, timestamp: 0, location: 'Rome', country_code: 'it' });

test('purchases are shown in order, the first again after the last', () => {
  let loop = arrive([purchase('a'), purchase('b'), purchase('c')]);
  const shown = [];
  for (let turn = 0; turn < 5; turn++) {
    shown.push(current(loop)?.name);
    loop = advance(loop);
  }

  expect(shown).toEqual(['a', 'b', 'c', 'a', 'b']);
});

test('without purchases there is nothing to show, however long one waits', () => {
  expect(current(advance(EMPTY_LOOP))).toBeUndefined();
});

test('a toast is gone before the next one comes', () => {
  expect([BETWEEN_TOASTS_MS, TOAST_STAYS_MS]).toEqual([8000, 5000]);
});
