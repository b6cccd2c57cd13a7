import { expect, test } from 'vitest';
import { assess } from './against.ts';

test.each([
  ['held', [0.9, 0.9, 0.9]],
  ['held', [0.5, 1, 1]],
  ['missed', [0.89, 1.5, 0.89]],
])('a bar is %s when a call is %j times as fast', (verdict, ratios) => {
  expect(assess(ratios)).toMatchObject({ verdict });
});

test('a row has each round and the median of them', () => {
  expect(assess([1.2, 0.8, 1])).toEqual({ rounds: '1.20 0.80 1.00', 'now/before': 1, bar: 0.9, verdict: 'held' });
});
