import type { Db } from '#api/foundation/db/schema.ts';
import { transact } from './transact.ts';

/**
 * Withdraws the key that was published to sign next.
 * @param at epoch milliseconds
 */
export function withdrawNextSigningKey({ db }: { db: Db }, at: number): Promise<void> {
  return transact(db, async (tx) => {
    for (const { kid } of await tx.signingKeys.removeNext())
      tx.record({ at, kind: 'signing_key', code: 'withdrawn', subject: null, detail: { kid } });
  });
}
