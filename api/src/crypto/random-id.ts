import { randomBytes } from 'node:crypto';

const TIME_DIGITS = 12;

/**
 * Makes an id that nobody can guess: the time in hexadecimal milliseconds, then 128 random bits. The time comes first
 * so that rows that are made one after the other are neighbours in an index. With random ids each row would go to
 * another page of the index.
 */
export function randomId(): string {
  return Date.now().toString(16).padStart(TIME_DIGITS, '0') + randomBytes(16).toString('base64url');
}
