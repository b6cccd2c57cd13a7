import { ERROR_CODES } from '@app/contracts/errors';
import { expect, test } from 'vitest';
import { audiencesOf, findErrors, GROUPS } from './errors.ts';

test('every error is in one group of the list, and has an audience', () => {
  expect(GROUPS.flatMap(({ codes }) => codes).sort()).toEqual([...ERROR_CODES].sort());
  expect(ERROR_CODES.filter((code) => audiencesOf(code).length === 0)).toEqual([]);
});

test.each([
  ['', undefined, ERROR_CODES],
  ['  ', undefined, ERROR_CODES],
  // By the code in any case, by the title, by the advice, and by words of all of them in any order.
  ['ks_fast', undefined, ['KS_FAST']],
  ['too quickly', undefined, ['KS_FAST']],
  ['your time', undefined, ['KS_FAST']],
  ['quickly TIME fast', undefined, ['KS_FAST']],
  ['KS_FAST nowhere', undefined, []],
  ['KS_FAST', 'team', []],
  ['', 'operator', ['server.incomplete', 'server.full', 'PAY_SIGNATURE', 'release.store']],
] as const)('“%s” finds the errors for %s', (text, audience, found) => {
  expect(findErrors({ text, audience })).toEqual(found);
});
