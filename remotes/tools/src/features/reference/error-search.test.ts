import { ERROR_CODES } from '@app/contracts/errors';
import { expect, test } from 'vitest';
import { MET_BY } from './error-audience.ts';
import { GROUPS } from './error-groups.ts';
import { findErrors } from './error-search.ts';

const ADVICE = { KS_FAST: 'Take your time.' } as Record<string, string>;
const find = (text: string, audience?: 'player' | 'author' | 'team' | 'operator') =>
  findErrors({ text, audience }, (code) => ADVICE[code] ?? '');

test('without a text every error is found, in its order', () => {
  expect(find('')).toEqual(ERROR_CODES);
  expect(find('  ')).toEqual(ERROR_CODES);
});

test('every error is in one group of the list', () => {
  expect(GROUPS.flatMap(({ codes }) => codes).sort()).toEqual([...ERROR_CODES].sort());
});

test.each([
  ['its code, in any case', 'ks_fast'],
  ['a part of its title', 'too quickly'],
  ['its advice', 'your time'],
  ['words of each, in any order', 'quickly TIME fast'],
])('an error is found by %s', (_what, text) => {
  expect(find(text)).toEqual(['KS_FAST']);
});

test('a word that is nowhere finds nothing', () => {
  expect(find('KS_FAST nowhere')).toEqual([]);
});

test('an audience finds only the errors that it meets', () => {
  expect(find('', 'operator')).toEqual(['server.incomplete', 'server.full', 'PAY_SIGNATURE', 'release.store']);
  expect(find('KS_FAST', 'team')).toEqual([]);
});

test('every error is met by an audience', () => {
  expect(ERROR_CODES.filter((code) => MET_BY[code].length === 0)).toEqual([]);
});
