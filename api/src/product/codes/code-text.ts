import { readWrapped } from '@app/contracts/read-pasted';
import { randomBytes } from 'node:crypto';

/** Crockford's base32: digits and letters without I, L, O and U. Source: https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 24;
const GROUP = /.{6}(?=.)/g;

/** Makes a code with 120 random bits, as people read it: `0A1B2C-3D4E5F-6G7H8J-9K0M1N`. */
export function generateCode(): string {
  // 256 is a multiple of 32, so all characters are equally likely.
  const code = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return code.replace(GROUP, '$&-');
}

/**
 * Reads a code as it was typed or pasted. Case, spaces and dashes do not matter; O is read as 0, I and L as 1.
 * @returns the code in one spelling; undefined when it cannot be one
 */
export function readCode(typed: string): string | undefined {
  const code = readWrapped(typed).replaceAll('-', '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? code : undefined;
}
