import { expect, test, vi } from 'vitest';
import { lettersOf } from './letters.tsx';

test.each([
  ['Ada got a plan', undefined, undefined],
  ['Renée, São Paulo – 5 €', undefined, undefined],
  ['⚡ Fast! →', undefined, undefined],
  ['Cœur, Œuvre, ılık', undefined, undefined],
  ['Nguyễn Đức', 'foreign', undefined],
  ['Łukasz', 'foreign', 'foreign'],
  ['Gülşen', 'foreign', 'foreign'],
  ['Ελένη', 'foreign', 'foreign'],
  // Decomposed: a letter and its accents.
  ['Nguye\u0302\u0303n', 'foreign', 'foreign'],
] as const)(
  '“%s” has letters that the fonts lack on an English page: %s, on a Vietnamese page: %s',
  (words, en, vi_) => {
    expect(lettersOf(words)).toBe(en);

    vi.stubGlobal('translations', { locale: 'vi' });
    expect(lettersOf(words)).toBe(vi_);
  },
);
