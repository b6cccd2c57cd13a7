import { expect, test } from 'vitest';
import { flagOf } from './country-flags.ts';

test('a code of two letters has a flag, in either case', () => {
  expect(flagOf('it')).toBeDefined();
  expect(flagOf('IT')).toBe(flagOf('it'));
  expect(flagOf('US')).not.toEqual(flagOf('it'));
});

test('a country whose flag is not drawn has the sign that stands for all others', () => {
  expect(flagOf('zz')).toBeDefined();
  expect(flagOf('zz')).toBe(flagOf('qq'));
  expect(flagOf('zz')).not.toEqual(flagOf('it'));
});

test.each(['', 'i', 'ita', '1t', 'i ', 'ß1'])('%j has no flag', (code) => {
  expect(flagOf(code)).toBeUndefined();
});
