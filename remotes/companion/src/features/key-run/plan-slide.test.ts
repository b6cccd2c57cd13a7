import { PLANS } from '@app/contracts/plans';
import { expect, test } from 'vitest';
import { layOutDays } from './plan-slide.tsx';

test.each(PLANS)('the calendar of $name has each of its $days days once', ({ days }) => {
  const marks = layOutDays(days).pages.flatMap((page) =>
    (page.days.match(/M[\d.]+ [\d.]+h0/g) ?? []).map((mark) => `${page.x} ${page.y} ${mark}`),
  );

  expect(marks).toHaveLength(days);
  expect(new Set(marks).size).toBe(days);
});

test.each(PLANS)('the days of $name are on their page, and its pages are in the drawing', ({ days }) => {
  const { width, height, page, pages } = layOutDays(days);
  const places = pages.flatMap(({ days: marks }) =>
    [...marks.matchAll(/M([\d.]+) ([\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) })),
  );

  expect(Math.max(...places.map(({ x }) => x))).toBeLessThan(page.width - 0.5);
  expect(Math.max(...places.map(({ y }) => y))).toBeLessThan(page.height - 0.5);
  expect(Math.max(...pages.map(({ x }) => x)) + page.width).toBeLessThan(width);
  expect(Math.max(...pages.map(({ y }) => y)) + page.height).toBeLessThan(height);
});
