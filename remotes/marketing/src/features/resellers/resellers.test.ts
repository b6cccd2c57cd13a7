import { SAMPLE_RESELLERS } from '@app/contracts/resellers';
import { expect, test } from 'vitest';
import { readResellers } from './resellers.tsx';

test('a list of resellers is used as it is', () => {
  expect(readResellers(SAMPLE_RESELLERS)).toEqual(SAMPLE_RESELLERS);
  expect(readResellers([])).toEqual([]);
});

test('an entry without a number of users is a reseller', () => {
  const { trusted, ...unknown } = SAMPLE_RESELLERS[0];

  expect(trusted).toBe(25_000);
  expect(readResellers([unknown])).toEqual([unknown]);
});

test('an entry that is malformed, or has a link without https, is left out', () => {
  const [first] = SAMPLE_RESELLERS;

  expect(readResellers([null, { name: 'Eve' }, { ...first, buyLink: 'javascript:alert(1)' }, first])).toEqual([first]);
});

test.each([null, {}, 'text', { resellers: [] }])('%j is not a list and is refused', (body) => {
  expect(() => readResellers(body)).toThrow('not a list');
});
