import { PLANS } from '@app/contracts/plans';
import { expect, test } from 'vitest';
import { layOutDays } from './key-run.tsx';

test.each(PLANS)('the drawing of $name has each of its $days days once, within its bounds', ({ days }) => {
  const { width, places } = layOutDays(days);

  expect(new Set(places.map(String)).size).toBe(days);
  expect(places).toHaveLength(days);
  expect(Math.max(...places.map(([x]) => x))).toBe(width - 1);
});
