import { locale } from './locale.ts';

/** Letters that the fonts of every page have. */
const LATIN_LETTERS = '\\0-\\xffıŒœ';

/** Letters that the font of a language has besides. */
const EXTRA_LETTERS: Readonly<Record<string, string>> = { vi: 'ĂăĐđĨĩŨũƠơƯưẠ-ỹ' };

/**
 * The `data-letters` of an element with words that somebody else wrote: `foreign` where the page's fonts lack a letter.
 * Then a font of the device draws them all, so that no word is drawn in two fonts.
 */
export function lettersOf(words: string): 'foreign' | undefined {
  const lacked = new RegExp(`(?![${LATIN_LETTERS}${EXTRA_LETTERS[locale() ?? ''] ?? ''}])[\\p{L}\\p{M}]`, 'u');
  return lacked.test(words) ? 'foreign' : undefined;
}
