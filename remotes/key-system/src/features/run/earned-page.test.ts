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

test('an open run stands at its step, also while an earlier key still works', () => {
  expect(earnedPage({ ...NOTHING, run: RUN })).toBe(4);
  expect(earnedPage({ ...NOTHING, run: RUN, key: KEY })).toBe(4);
});

test('a working key without a run leads to its page, until the next run may begin', () => {
  expect(earnedPage({ ...NOTHING, key: KEY })).toBe('getkey');
  expect(earnedPage({ ...NOTHING, key: { ...KEY, renewable: true } })).toBe(1);
});

test.each(['moves', 'other'] as const)('a key that %s does not end the way to one for this zone', (zone) => {
  expect(earnedPage({ ...NOTHING, key: { ...KEY, zone } })).toBe(1);
});

test('a new run begins at step 1 beside one of another zone, and never beside one’s own', () => {
  expect(earnedPage(besideOpenRun({ ...NOTHING, run: { ...RUN, zone: 'other' } }))).toBe(1);
  expect(earnedPage(besideOpenRun({ ...NOTHING, run: RUN }))).toBe(4);
  expect(earnedPage(besideOpenRun({ ...NOTHING, run: { ...RUN, zone: 'moves' } }))).toBe(4);
  expect(besideOpenRun({ ...NOTHING, run: { ...RUN, zone: 'other' } })).toEqual(NOTHING);
  expect(besideOpenRun(NOTHING)).toEqual(NOTHING);
});
