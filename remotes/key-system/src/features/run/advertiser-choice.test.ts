import { expect, test } from 'vitest';
import { listOffers, pickUsable } from './advertiser-choice.tsx';

const HEALTH = [
  { id: 'linkvertise', ok: false },
  { id: 'rinku', ok: true },
  { id: 'lootlabs', ok: true },
  { id: 'workink', ok: true },
] as const;

test('a step offers its own advertisers, each with its health', () => {
  expect(listOffers('main', 4, HEALTH)).toEqual([
    { id: 'linkvertise', ok: false },
    { id: 'lootlabs', ok: true },
  ]);
  expect(listOffers('main', 4)).toEqual([
    { id: 'linkvertise', ok: undefined },
    { id: 'lootlabs', ok: undefined },
  ]);
});

test('an advertiser that can be used replaces one that cannot', () => {
  expect(pickUsable(listOffers('main', 1, HEALTH), 'linkvertise')).toBe('rinku');
  expect(pickUsable(listOffers('main', 1, HEALTH), 'lootlabs')).toBe('lootlabs');
});

test('before the server has answered, the wanted advertiser is chosen', () => {
  expect(pickUsable(listOffers('main', 1), 'lootlabs')).toBe('lootlabs');
});

test('when none can be used, none is chosen', () => {
  expect(pickUsable(listOffers('companion', 1, HEALTH), 'linkvertise')).toBeUndefined();
});
