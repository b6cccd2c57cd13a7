import { OLDEST_BROWSERS } from '@app/contracts/oldest-browsers';
import { formatTexts } from '#api/foundation/http/format-texts.ts';
import vi from '../../../../translations/vi/api/documents.json' with { type: 'json' };
import en from './documents.en.json' with { type: 'json' };

const OLDEST = `Safari ${String(Number(OLDEST_BROWSERS.safari))}, Chrome ${OLDEST_BROWSERS.chrome}, Firefox ${OLDEST_BROWSERS.firefox}`;

const WORDS: Readonly<Record<string, typeof en>> = { vi };

/**
 * What a document says itself, as HTML, when the code of its page does not come or cannot run.
 * @param language undefined for the original one
 */
export function documentWords(language = 'en'): typeof en {
  return formatTexts(WORDS[language] ?? en, { oldest: OLDEST }, language);
}
