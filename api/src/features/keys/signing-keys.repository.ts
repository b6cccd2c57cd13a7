import type { Kysely } from 'kysely';
import type { Database, SigningKeyRow } from '#api/db/schema.ts';

export type SigningKeysRepository = ReturnType<typeof createSigningKeysRepository>;

export function createSigningKeysRepository(db: Kysely<Database>) {
  return {
    /** Makes one key the active one. A key it takes over from stays published until its last signatures have run out. */
    async activate({ kid, alg, publicJwk }: Pick<SigningKeyRow, 'kid' | 'alg' | 'publicJwk'>, at: number, lastUseOfOldKeys: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('signingKey')
          .set({ status: 'retired', notAfter: lastUseOfOldKeys })
          .where('status', '=', 'active')
          .where('kid', '<>', kid)
          .execute();
        const { publicJwk: stored } = await trx
          .insertInto('signingKey')
          .values({ kid, alg, publicJwk, status: 'active', notBefore: at, notAfter: null })
          .onConflict((conflict) => conflict.column('kid').doUpdateSet({ status: 'active', notAfter: null }))
          .returning('publicJwk')
          .executeTakeFirstOrThrow();

        if (stored !== publicJwk) throw new Error(`Another signing key already has the id ${kid}.`);
      });
    },

    /** Every key that there ever was, the newest first. */
    list(): Promise<SigningKeyRow[]> {
      return db.selectFrom('signingKey').selectAll().orderBy('notBefore', 'desc').execute();
    },

    /** Every key whose signatures may still be met. */
    listPublished(at: number): Promise<SigningKeyRow[]> {
      return db
        .selectFrom('signingKey')
        .selectAll()
        .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', at)]))
        .orderBy('notBefore', 'desc')
        .execute();
    },
  };
}
