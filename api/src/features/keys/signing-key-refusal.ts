import type { SigningKeyRow } from '#api/db/schema.ts';
import type { PublicHalf } from './signing-keys.repository.ts';

/** Why a key may not do what was asked for: nobody has been shown it, not for long enough, no longer, or its id is another one's. */
export type SigningKeyRefusal =
  | { kind: 'unpublished' | 'over' | 'taken' }
  /** Epoch milliseconds. */
  | { kind: 'too_new'; signsFrom: number };

/** One id stands for one key for ever. */
export function isOfAnotherKey(row: SigningKeyRow | undefined, { publicJwk }: PublicHalf): boolean {
  return row !== undefined && row.publicJwk !== publicJwk;
}

export function isOver({ notAfter }: SigningKeyRow, at: number): boolean {
  return notAfter !== null && notAfter <= at;
}

/** The write has already refused; this only finds out why. */
export function whyRefused(row: SigningKeyRow | undefined, at: number): SigningKeyRefusal {
  if (!row) return { kind: 'unpublished' };

  return isOver(row, at) ? { kind: 'over' } : { kind: 'too_new', signsFrom: row.notBefore };
}
