import { randomBytes } from 'node:crypto';

const TIME_DIGITS = 12;

/**
 * An id that nobody can guess: 128 random bits. Before them stands the time in hexadecimal milliseconds, so that rows
 * made one after the other stand side by side in an index, instead of each on a page of its own.
 */
export function randomId(): string {
  return Date.now().toString(16).padStart(TIME_DIGITS, '0') + randomBytes(16).toString('base64url');
}
