import { expect, test } from 'vitest';
import { firstAdvertiser, listAdvertisers, pickAdvertiser } from './advertisers.ts';

test.each([
  [1, ['linkvertise', 'rinku', 'lootlabs']],
  [2, ['linkvertise', 'workink', 'lootlabs']],
  [3, ['linkvertise', 'workink', 'lootlabs']],
  [4, ['linkvertise', 'lootlabs']],
  [5, ['linkvertise', 'lootlabs']],
  [6, ['linkvertise', 'lootlabs']],
])('step %d of the main app offers the advertisers %j', (step, advertisers) => {
  expect(listAdvertisers('main', step)).toEqual(advertisers);
});

test('falls back to Linkvertise for an advertiser that the step does not offer', () => {
  expect(pickAdvertiser('main', 2, 'WorkInk')).toBe('workink');
  expect(pickAdvertiser('main', 4, 'workink')).toBe('linkvertise');
  expect(pickAdvertiser('main', 1, 'https://evil.example')).toBe('linkvertise');
  expect(pickAdvertiser('main', 1, undefined)).toBe('linkvertise');
});

test.each([
  [2, 'lootlabs', 'lootlabs'],
  [2, 'rinku', 'linkvertise'],
  [4, 'lootlabs', 'linkvertise'],
  [5, 'lootlabs', 'lootlabs'],
  [1, undefined, 'linkvertise'],
] as const)('step %d with the requested advertiser %s starts with %s', (step, requested, first) => {
  expect(firstAdvertiser('main', step, requested)).toBe(first);
});
