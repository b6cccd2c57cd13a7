import { ERRORS, type ErrorCode } from '@app/contracts/errors';
import { t } from './words.ts';

/** The sentence about an error. In English it is the API's own, so only its translations are in a catalogue. */
export function titleOf(code: ErrorCode): string {
  return (t as (id: string) => string)(`errors.title.${code}`) || ERRORS[code].title;
}
