import { ERROR_CODES } from '@app/contracts/errors';
import { expect, test } from 'vitest';
import { EN } from './interstitial-words.ts';
import { VI } from './interstitial-words-vi.ts';

/** Every text of some words by its place, with 7 for what is filled in. */
function textsOf(words: unknown, place = ''): [place: string, text: string][] {
  if (typeof words === 'string') return [[place, words]];
  if (typeof words === 'function') return textsOf((words as (...filled: number[]) => unknown)(7, 7), place);
  return Object.entries(words as object).flatMap(([key, value]) => textsOf(value, `${place}/${key}`));
}

test('no text is the same in Vietnamese, each is composed, and each says the same numbers', () => {
  const vietnamese = new Map(textsOf(VI));

  for (const [place, text] of textsOf(EN)) {
    const translated = vietnamese.get(place) ?? text;
    expect(translated).not.toBe(text);
    expect(translated).toBe(translated.normalize('NFC'));
    expect([place, translated.match(/7/g)]).toEqual([place, text.match(/7/g)]);
  }
});

test('a player reads of every error in Vietnamese, but not of those that only programs and the team meet', () => {
  const ofPrograms = /^release\.|^stats\.|^QA_|^route\.method$|^request\.version$|^PAY_SIGNATURE$/;

  expect(Object.keys(VI.problem.texts)).toEqual(ERROR_CODES.filter((code) => !ofPrograms.test(code)));
});
