import { expect, test } from 'vitest';
import { listOffers, pickUsable } from './advertiser-choice.tsx';

const HEALTH = [
  { id: 'linkvertise', ok: false },
  { id: 'rinku', ok: true },
  { id: 'lootlabs', ok: true },
  { id: 'workink', ok: true },
] as const;

test('a step lists its own advertisers, each with its health', () => {
  expect(listOffers('main', 4, HEALTH)).toEqual([
    { id: 'linkvertise', ok: false },
    { id: 'lootlabs', ok: true },
  ]);
  expect(listOffers('main', 4)).toEqual([
    { id: 'linkvertise', ok: undefined },
    { id: 'lootlabs', ok: undefined },
  ]);
});

test('falls back to an available advertiser', () => {
  expect(pickUsable(listOffers('main', 1, HEALTH), 'linkvertise')).toBe('rinku');
  expect(pickUsable(listOffers('main', 1, HEALTH), 'lootlabs')).toBe('lootlabs');
});

test('chooses the wanted advertiser before the server has answered', () => {
  expect(pickUsable(listOffers('main', 1), 'lootlabs')).toBe('lootlabs');
});

test('chooses no advertiser when none is available', () => {
  expect(pickUsable(listOffers('companion', 1, HEALTH), 'linkvertise')).toBeUndefined();
});
