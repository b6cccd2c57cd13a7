import { randomBytes } from 'node:crypto';

const TIME_DIGITS = 12;

/**
 * Makes an id that nobody can guess: the time in hexadecimal milliseconds, then 128 random bits. The time comes first
 * so that rows that are made one after the other are neighbours in an index. With random ids each row would go to
 * another page of the index.
 */
export function randomId(at = Date.now()): string {
  return idsFrom(at) + randomBytes(16).toString('base64url');
}

/** A text between the ids that were made before a moment and all later ones, in the order of texts. */
export function idsFrom(at: number): string {
  return at.toString(16).padStart(TIME_DIGITS, '0');
}
