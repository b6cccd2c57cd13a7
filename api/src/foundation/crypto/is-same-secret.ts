import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a secret that was given with the right one, in a time that says nothing about either. */
export function isSameSecret(given: string, right: string): boolean {
  const [one, other] = [given, right].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}
