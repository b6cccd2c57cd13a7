import { LANGUAGE_NAME, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { parseCookie } from 'cookie';
import type { Request } from 'express';

/**
 * Finds the language of an answer: the one that is asked for, else the one that the visitor has chosen before, else what
 * the browser prefers.
 * @param offered languages besides the original one
 * @param asked the language that an address names
 */
export function languageOf(req: Request, offered: readonly string[], asked?: string): string {
  const all = [ORIGINAL_LANGUAGE, ...offered];
  const { cookie } = req.headers;
  const chosen = cookie?.includes(LANGUAGE_NAME) ? parseCookie(cookie)[LANGUAGE_NAME] : undefined;
  const wish = [asked, chosen].find((language) => language !== undefined && all.includes(language));
  return wish ?? (req.acceptsLanguages(all) || ORIGINAL_LANGUAGE);
}
