import { LANGUAGE_NAME, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { SHELL } from '@app/contracts/unit';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { Choice } from './visitor-choice.ts';

const QUERY = /\?[^#]*/;

/**
 * Chooses the language of a page: what its address names, else what the visitor has chosen before, else what the browser
 * prefers.
 * @param address path and query of the page
 * @returns undefined for the original language
 */
export function chooseLanguage(req: Request, { units }: Choice, address: string): string | undefined {
  const translations = units.get(SHELL)?.release.translations;
  if (!translations) return undefined;

  const offered = [ORIGINAL_LANGUAGE, ...Object.keys(translations)];
  const { cookie } = req.headers;
  const wishes = [languageIn(address), cookie?.includes(LANGUAGE_NAME) && parseCookie(cookie)[LANGUAGE_NAME]];
  const language = wishes.find((wish) => wish && offered.includes(wish)) || req.acceptsLanguages(offered);
  return language && language !== ORIGINAL_LANGUAGE ? language : undefined;
}

/** The language that an address names. */
export function languageIn(address: string): string | undefined {
  return new URLSearchParams(QUERY.exec(address)?.[0]).get(LANGUAGE_NAME) ?? undefined;
}
