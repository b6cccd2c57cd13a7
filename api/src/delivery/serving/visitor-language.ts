import { LANGUAGE_NAME, ORIGINAL_LANGUAGE } from '@app/contracts/languages';
import { SHELL } from '@app/contracts/unit';
import type { Request } from 'express';
import { languageOf } from '#api/foundation/http/language.ts';
import type { ReleaseSelection } from './release-selection.ts';

const QUERY = /\?[^#]*/;

/** The language of a page among those of its shell; undefined for the original one. */
export function chooseLanguage(req: Request, { units }: ReleaseSelection, address: string): string | undefined {
  const translations = units.get(SHELL)?.release.translations;
  if (!translations) return undefined;

  const language = languageOf(req, Object.keys(translations), languageIn(address));
  return language === ORIGINAL_LANGUAGE ? undefined : language;
}

export function languageIn(address: string): string | undefined {
  return new URLSearchParams(QUERY.exec(address)?.[0]).get(LANGUAGE_NAME) ?? undefined;
}
