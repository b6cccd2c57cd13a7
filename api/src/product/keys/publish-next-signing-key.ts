import type { Db } from '#api/foundation/db/schema.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import { isOfAnotherKey, isOver, whyRefused, type SigningKeyRefusal } from './signing-key-refusal.ts';
import type { PublicHalf } from './signing-keys.repository.ts';
import { transact } from './transact.ts';

export type PublishedKey =
  /** When it may sign, epoch milliseconds. */
  { kind: 'published'; signsFrom: number } | SigningKeyRefusal;

/**
 * Publishes the key that will sign next, and withdraws any other that was published for that. It changes nothing when
 * the key is published already, or is refused.
 * @param at epoch milliseconds
 * @param signsFrom when a new key may sign, in epoch milliseconds
 */
export function publishNextSigningKey(
  { db }: { db: Db },
  next: PublicHalf,
  at: number,
  signsFrom: number,
): Promise<PublishedKey> {
  return transact<PublishedKey>(db, async (tx) => {
    const withdrawn = await tx.signingKeys.removeNext(next.kid);
    const isNew = await tx.signingKeys.add({ ...next, status: 'next', notBefore: signsFrom, notAfter: null });
    const row = await tx.signingKeys.find(next.kid);
    if (isOfAnotherKey(row, next)) return rollBack({ kind: 'taken' });
    if (!row || isOver(row, at)) return rollBack(whyRefused(row, at));

    const about = { at, kind: 'signing_key', subject: null } as const;
    for (const { kid } of withdrawn) tx.record({ ...about, code: 'withdrawn', detail: { kid } });
    if (isNew) tx.record({ ...about, code: 'published', detail: { kid: next.kid } });
    return { kind: 'published', signsFrom: row.notBefore };
  });
}
