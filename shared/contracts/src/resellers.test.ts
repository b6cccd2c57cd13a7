import * as v from 'valibot';
import { expect, test } from 'vitest';
import { resellerSchema, SAMPLE_RESELLERS } from './resellers.ts';

test('the sample resellers are valid, and their links go to example hosts', () => {
  expect(SAMPLE_RESELLERS).toHaveLength(4);
  for (const sample of SAMPLE_RESELLERS) {
    expect(v.parse(resellerSchema, sample)).toEqual(sample);
    for (const link of [sample.discord, sample.buyLink]) expect(link).toMatch(/^https:\/\/[a-z.-]+\.example\//);
  }
});

test.each(['javascript:alert(1)', 'http://store.example/', ' https://store.example/', 'https://', 'store.example', ''])(
  'rejects a reseller with the link "%s"',
  (link) => {
    expect(v.is(resellerSchema, { ...SAMPLE_RESELLERS[0], buyLink: link })).toBe(false);
    expect(v.is(resellerSchema, { ...SAMPLE_RESELLERS[0], discord: link })).toBe(false);
  },
);
