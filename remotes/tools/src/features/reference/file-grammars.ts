import { BACKTICKS, C_COMMENT, QUOTED, words, type Grammar } from './highlight.ts';

/** The languages of which the page shows only whole files. They load with those. */
export const FILE_GRAMMARS = {
  kotlin: {
    comment: C_COMMENT,
    string: QUOTED,
    keywords: words(
      'as catch class const else false finally for fun if import in internal is null object package private return set ' +
        'throw true try val var when while',
    ),
  },
  java: {
    comment: C_COMMENT,
    string: QUOTED,
    keywords: words(
      'boolean byte case catch char class default double else extends false final finally for if import instanceof int ' +
        'long new null private public record return static super switch this throw throws true try void while',
    ),
  },
  go: {
    comment: C_COMMENT,
    string: `${QUOTED}|${BACKTICKS}`,
    keywords: words(
      'any bool byte case const default defer else false float64 for func if import int map nil package range return ' +
        'string struct switch true type var',
    ),
  },
} as const satisfies Record<string, Grammar>;
