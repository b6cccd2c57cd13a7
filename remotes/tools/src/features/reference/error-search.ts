import { ERROR_CODES, type ErrorCode } from '@app/contracts/errors';
import { MET_BY, type Audience } from './error-audience.ts';
import { titleOf } from './error-title.ts';

/** What the visitor looks for. Undefined: errors of everyone. */
export interface Search {
  text: string;
  audience: Audience | undefined;
}

/**
 * Finds the errors with every word of a text in their code, title or advice.
 * @param adviceOf the advice about an error, in the visitor's language
 */
export function findErrors({ text, audience }: Search, adviceOf: (code: ErrorCode) => string): ErrorCode[] {
  const words = text.toLowerCase().split(/\s+/);

  return ERROR_CODES.filter((code) => {
    if (audience && !MET_BY[code].includes(audience)) return false;

    const searched = `${code} ${titleOf(code)} ${adviceOf(code)}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
