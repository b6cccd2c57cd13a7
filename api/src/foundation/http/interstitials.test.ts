import { ERROR_CODES } from '@app/contracts/errors';
import { expect, test } from 'vitest';
import EN from './interstitials.en.json' with { type: 'json' };

test('a player reads of every error, but not of those that only programs and the team meet', () => {
  const ofPrograms = /^release\.|^stats\.|^QA_|^route\.method$|^request\.version$|^PAY_SIGNATURE$/;

  expect(Object.keys(EN.problem.texts)).toEqual(ERROR_CODES.filter((code) => !ofPrograms.test(code)));
});
