import { expect, test } from 'vitest';
import { countGateSteps, gateTarget, parseGateAdvertiser } from './gate.ts';

test.each([
  [null, 'linkvertise', 2],
  ['nobody', 'linkvertise', 2],
  ['LootLabs', 'lootlabs', 3],
  ['workink', 'workink', 4],
  ['rinku', 'rinku', 2],
])('with advertiser %s the gate is that of %s, %d steps', (word, advertiser, steps) => {
  const found = parseGateAdvertiser(word);

  expect([found, countGateSteps(found)]).toEqual([advertiser, steps]);
});

test('the gate leads to the key system’s endpoint, with device, advertiser and system', () => {
  expect(gateTarget({ hwid: 'device-1', advertiser: 'lootlabs', os: 'ios' })).toBe('/api/keysystemv2?hwid=device-1&advertiser=lootlabs&os=ios');
});
