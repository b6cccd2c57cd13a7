import { expect, test } from 'vitest';
import exampleSettings from './advertisers-settings.example.json' with { type: 'json' };
import { parseAdvertisersInUse, parseAdvertisersSettings } from './advertisers-settings.ts';

const { linkvertise, lootlabs } = exampleSettings;

test('the example of the advertisers file is valid', () => {
  expect(parseAdvertisersSettings(JSON.stringify(exampleSettings))).toEqual(exampleSettings);
});

test.each([
  {
    why: 'plain http',
    changes: { linkvertise: { ...linkvertise, apiBase: 'http://publisher.linkvertise.com' } },
    name: 'linkvertise.apiBase',
  },
  { why: 'no hosts', changes: { linkvertise: { ...linkvertise, hosts: [] } }, name: 'linkvertise.hosts' },
  {
    why: 'a short postback word',
    changes: { lootlabs: { ...lootlabs, postbackSecret: 'short' } },
    name: 'lootlabs.postbackSecret',
  },
  { why: 'a missing advertiser', changes: { rinku: undefined }, name: 'rinku' },
])('an advertisers file with $why is rejected with the name of the field', ({ changes, name }) => {
  expect(() => parseAdvertisersSettings(JSON.stringify({ ...exampleSettings, ...changes }))).toThrow(name);
});

const realAccounts = JSON.stringify(exampleSettings).replaceAll('replace-with-', 'a-real-');

test('advertiser settings with real accounts are valid', () => {
  expect(parseAdvertisersInUse(realAccounts)).toEqual(JSON.parse(realAccounts));
});

test.each([
  { why: 'the secrets of the example', text: JSON.stringify(exampleSettings), name: 'linkvertise.token' },
  {
    why: 'a fake one on this machine',
    text: realAccounts.replace('https://work.ink', 'http://127.0.0.1:4000'),
    name: 'workink.apiBase',
  },
])(
  'threat 19: an advertisers file with $why is rejected in production with the name of the field',
  ({ text, name }) => {
    expect(() => parseAdvertisersInUse(text)).toThrow(`${name} is for trying out and refused in production`);
  },
);
