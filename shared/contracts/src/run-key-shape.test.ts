import { expect, test } from 'vitest';
import { RUN_KEY, runKeyTeeth } from './run-key-shape.ts';

/** Where the collar ends. */
const COLLAR = 51;

test.each([6, 3, 1])('the key of a run of %d steps has one tooth for each, without overlap', (of) => {
  const edges = runKeyTeeth(of).map(({ stock }) => edgesOf(stock));

  expect(edges).toHaveLength(of);
  for (const [index, { left }] of edges.entries()) expect(left).toBeGreaterThan(edges[index - 1]?.right ?? COLLAR);
});

test('the gap between two series is wider than between two steps', () => {
  const edges = runKeyTeeth(6).map(({ stock }) => edgesOf(stock));
  const gaps = edges.slice(1).map(({ left }, index) => left - (edges[index]?.right ?? 0));

  expect(gaps.indexOf(Math.max(...gaps))).toBe(2);
});

test('the teeth of a shorter run have the same size and are spread over the blade', () => {
  const [six, three] = [6, 3].map((of) => runKeyTeeth(of).map(({ stock }) => edgesOf(stock)));
  const widths = [six, three].map((edges) => new Set(edges?.map(({ left, right }) => right - left)));

  expect(widths[0]).toEqual(widths[1]);
  expect(three?.at(-1)).toEqual(six?.at(-1));
  expect(three?.[0]?.left).toBeLessThan(six?.[2]?.left ?? 0);
});

test.each([6, 3])('the teeth of a run of %d steps stay on the blade and within the drawing', (of) => {
  const drawn = runKeyTeeth(of).map(({ stock }) => edgesOf(stock));

  expect(drawn.at(-1)?.right).toBeLessThan(RUN_KEY.width);
  for (const { bottom } of drawn) expect(bottom).toBeLessThan(RUN_KEY.height);
});

test('the cuts of a tooth stay within its block', () => {
  for (const { tooth, stock } of runKeyTeeth(6)) {
    const depths = [...tooth.matchAll(/ (\d+)H/g)].map(([, y]) => Number(y));

    expect(depths.length).toBeGreaterThan(1);
    for (const depth of depths) expect(depth).toBeLessThanOrEqual(edgesOf(stock).bottom);
  }
});

function edgesOf(stock: string): { left: number; right: number; bottom: number } {
  const [, left, top, height, width] = /^M([\d.]+) (\d+)v(\d+)h([\d.]+)/.exec(stock) ?? [];
  return { left: Number(left), right: Number(left) + Number(width), bottom: Number(top) + Number(height) };
}
