import { expect, test } from 'vitest';
import { countGateSteps, gateTarget, parseGateAdvertiser } from './gate.ts';

test.each([
  [null, 'linkvertise', 2],
  ['unknown', 'linkvertise', 2],
  ['Rinku', 'rinku', 3],
  ['lootlabs', 'lootlabs', 4],
  ['workink', 'linkvertise', 2],
])('with advertiser %s the gate is that of %s, %d steps', (word, advertiser, steps) => {
  const found = parseGateAdvertiser(word);

  expect([found, countGateSteps(found)]).toEqual([advertiser, steps]);
});

test('the gate leads to the key system’s endpoint, with device, advertiser and system, and a zone where there is one', () => {
  const visit = { hwid: 'device-1', advertiser: 'lootlabs', os: 'ios' } as const;

  expect(gateTarget({ ...visit, zone: undefined })).toBe('/api/keysystemv2?hwid=device-1&advertiser=lootlabs&os=ios');
  expect(gateTarget({ ...visit, zone: 'z1' })).toBe(
    '/api/keysystemv2?hwid=device-1&advertiser=lootlabs&os=ios&zone=z1&run=stay',
  );
});
