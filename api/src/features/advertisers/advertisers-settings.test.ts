import { expect, test } from 'vitest';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };
import { parseAdvertisersSettings } from './advertisers-settings.ts';

const { linkvertise, lootlabs } = exampleSettings;

test('the example is a file as it should be', () => {
  expect(parseAdvertisersSettings(JSON.stringify(exampleSettings))).toEqual(exampleSettings);
});

test.each([
  { why: 'plain http', changes: { linkvertise: { ...linkvertise, apiBase: 'http://publisher.linkvertise.com' } }, name: 'linkvertise.apiBase' },
  { why: 'no hosts', changes: { linkvertise: { ...linkvertise, hosts: [] } }, name: 'linkvertise.hosts' },
  { why: 'a short postback word', changes: { lootlabs: { ...lootlabs, postbackSecret: 'short' } }, name: 'lootlabs.postbackSecret' },
  { why: 'a missing advertiser', changes: { rinku: undefined }, name: 'rinku' },
])('a file with $why is refused by the name of it', ({ changes, name }) => {
  expect(() => parseAdvertisersSettings(JSON.stringify({ ...exampleSettings, ...changes }))).toThrow(name);
});
