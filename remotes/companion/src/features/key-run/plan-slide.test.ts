import { PLANS } from '@app/contracts/plans';
import { expect, test } from 'vitest';
import { layOutDays } from './plan-slide.tsx';

test.each(PLANS)('$name has one dot for each of its $days days, none on top of another', ({ days }) => {
  const marks = layOutDays(days).path.match(/M[\d.]+ [\d.]+h0/g) ?? [];

  expect(marks).toHaveLength(days);
  expect(new Set(marks).size).toBe(days);
});

test.each(PLANS)('the dots of $name fit into their block, and no row of it is empty', ({ days }) => {
  const { columns, rows, path } = layOutDays(days);
  const places = [...path.matchAll(/M([\d.]+) ([\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

  expect(Math.max(...places.map(({ x }) => x))).toBe(columns - 0.5);
  expect(Math.max(...places.map(({ y }) => y))).toBe(rows - 0.5);
});
