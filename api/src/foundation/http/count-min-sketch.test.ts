import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCountMinSketch } from './rate-limit.ts';

const MINUTE = 60_000;
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function openCounts() {
  let time = 5000;
  const counts = createCountMinSketch(MINUTE, () => time);
  return { add: (key: string) => counts.add(hash(key)), pass: (ms: number) => (time += ms) };
}

test('each key is counted separately until the window ends', () => {
  const { add, pass } = openCounts();
  expect([add('one').count, add('one').count, add('other').count]).toEqual([1, 2, 1]);

  pass(MINUTE - 1);
  expect(add('one')).toEqual({ count: 3, msLeft: 1 });
  pass(1);
  expect(add('one')).toEqual({ count: 1, msLeft: MINUTE });
});

test('a hundred thousand keys in one window neither reduce a count nor noticeably raise that of a new key', () => {
  const { add } = openCounts();
  for (let times = 0; times < 9; times++) add('attacker');
  for (let stranger = 0; stranger < 100_000; stranger++) add(`stranger ${String(stranger)}`);

  expect(add('attacker').count).toBeGreaterThanOrEqual(10);
  const most = Math.max(...Array.from({ length: 1000 }, (_, nth) => add(`newcomer ${String(nth)}`).count));
  expect(most).toBeLessThan(5);
});

test('four hundred thousand keys in one window leave a new key more than half of ten attempts', () => {
  const { add } = openCounts();
  for (let stranger = 0; stranger < 400_000; stranger++) add(`stranger ${String(stranger)}`);

  const most = Math.max(...Array.from({ length: 1000 }, (_, nth) => add(`newcomer ${String(nth)}`).count));
  expect(most).toBeLessThanOrEqual(5);
});
