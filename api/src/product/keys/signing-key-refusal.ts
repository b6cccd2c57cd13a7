import type { SigningKeyRow } from '#api/foundation/db/schema.ts';
import type { PublicHalf } from './signing-keys.repository.ts';

/**
 * Why a signing key is refused: it was never published (`unpublished`), not for long enough (`too_new`), is no longer
 * published (`over`), or its `kid` belongs to another key (`taken`).
 */
export type SigningKeyRefusal =
  | { kind: 'unpublished' | 'over' | 'taken' }
  /** Epoch milliseconds. */
  | { kind: 'too_new'; signsFrom: number };

/** Whether a `kid` is taken by another key. A `kid` never changes its key. */
export function isOfAnotherKey(row: SigningKeyRow | undefined, { publicJwk }: PublicHalf): boolean {
  return row !== undefined && row.publicJwk !== publicJwk;
}

/** Whether a signing key is no longer published. */
export function isOver({ notAfter }: SigningKeyRow, at: number): boolean {
  return notAfter !== null && notAfter <= at;
}

/** Finds out why a write refused the key. */
export function whyRefused(row: SigningKeyRow | undefined, at: number): SigningKeyRefusal {
  if (!row) return { kind: 'unpublished' };

  return isOver(row, at) ? { kind: 'over' } : { kind: 'too_new', signsFrom: row.notBefore };
}
