import { expect, test } from 'vitest';
import { assess } from './bars.ts';

test.each([
  ['held', 'return', [0.9, 0.9, 0.9]],
  ['held', 'return', [0.5, 1, 1]],
  ['missed', 'return', [0.89, 1.5, 0.89]],
  ['held', 'state', [1.29, 1.3, 1.31]],
  ['missed', 'state', [1.29, 2, 1.29]],
])('a bar is %s when %s is %j times as fast', (verdict, call, ratios) => {
  expect(assess({ database: 'SQLite', call, ratios })).toMatchObject({ verdict });
});

test('a row shows each round and the median of them', () => {
  expect(assess({ database: 'PostgreSQL', call: 'key', ratios: [1.2, 0.8, 1] })).toEqual({
    database: 'PostgreSQL',
    call: 'key',
    rounds: '1.20 0.80 1.00',
    'now/before': 1,
    bar: 0.9,
    verdict: 'held',
  });
});
