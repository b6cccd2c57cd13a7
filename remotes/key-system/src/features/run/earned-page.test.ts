import type { RunState } from '@app/contracts/key-system-schemas';
import { expect, test } from 'vitest';
import { besideOpenRun, earnedPage } from './earned-page.ts';

const NOTHING: RunState = {
  app: 'main',
  run: null,
  key: null,
  cooldown: null,
  advertisers: [],
  stepsRequired: 6,
  now: 1_000,
};
const KEY = { active: true, expiresAt: 2_000, renewable: false, zone: 'same' } as const;
const RUN: NonNullable<RunState['run']> = {
  step: 4,
  of: 6,
  series: 2,
  completed: [],
  waiting: false,
  zone: 'same',
  own: true,
  expiresAt: 2_000,
};

test('a visitor without run or key begins at step 1', () => {
  expect(earnedPage(NOTHING)).toBe(1);
  expect(earnedPage({ ...NOTHING, key: { ...KEY, active: false } })).toBe(1);
});

test('an open run leads to its step, even while an earlier key works', () => {
  expect(earnedPage({ ...NOTHING, run: RUN })).toBe(4);
  expect(earnedPage({ ...NOTHING, run: RUN, key: KEY })).toBe(4);
});

test('a working key without a run leads to the page of the key, until the key is renewable', () => {
  expect(earnedPage({ ...NOTHING, key: KEY })).toBe('getkey');
  expect(earnedPage({ ...NOTHING, key: { ...KEY, renewable: true } })).toBe(1);
});

test.each(['moves', 'other'] as const)('with a key whose zone is "%s", a visitor begins at step 1', (zone) => {
  expect(earnedPage({ ...NOTHING, key: { ...KEY, zone } })).toBe(1);
});

test('a new run begins at step 1 beside a run of another zone only', () => {
  expect(earnedPage(besideOpenRun({ ...NOTHING, run: { ...RUN, zone: 'other' } }))).toBe(1);
  expect(earnedPage(besideOpenRun({ ...NOTHING, run: RUN }))).toBe(4);
  expect(earnedPage(besideOpenRun({ ...NOTHING, run: { ...RUN, zone: 'moves' } }))).toBe(4);
  expect(besideOpenRun({ ...NOTHING, run: { ...RUN, zone: 'other' } })).toEqual(NOTHING);
  expect(besideOpenRun(NOTHING)).toEqual(NOTHING);
});
