import { writesRow } from '#api/foundation/db/dialect.ts';
import type { Db, SigningKeyRow } from '#api/foundation/db/schema.ts';

export type PublicHalf = Pick<SigningKeyRow, 'kid' | 'alg' | 'publicJwk'>;

export function createSigningKeysRepository(db: Db) {
  return {
    find(kid: string): Promise<SigningKeyRow | undefined> {
      return db.selectFrom('signingKey').selectAll().where('kid', '=', kid).executeTakeFirst();
    },

    list(): Promise<SigningKeyRow[]> {
      return db.selectFrom('signingKey').selectAll().orderBy('notBefore', 'desc').execute();
    },

    /** All keys that are published at this time: their signatures may still be checked. */
    listPublished(at: number): Promise<SigningKeyRow[]> {
      return db
        .selectFrom('signingKey')
        .selectAll()
        .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', at)]))
        .orderBy('notBefore', 'desc')
        .execute();
    },

    /** Whether there is a key that signs or has signed. */
    async hasSigner(): Promise<boolean> {
      const signer = await db
        .selectFrom('signingKey')
        .select('kid')
        .where('status', '<>', 'next')
        .limit(1)
        .executeTakeFirst();
      return signer !== undefined;
    },

    /** False when its `kid`, or the place of the active key, is taken. */
    add(key: SigningKeyRow): Promise<boolean> {
      return writesRow(
        db
          .insertInto('signingKey')
          .values(key)
          // When two servers start for the first time at once, one of them is first. With the same key both use it.
          .onConflict((conflict) => conflict.doNothing()),
      );
    },

    /** Retires every other key that signs or has signed: it stays published until `until` and no longer. */
    async retireOthers({ kid }: PublicHalf, until: number): Promise<void> {
      await db
        .updateTable('signingKey')
        .set({ status: 'retired', notAfter: until })
        .where('kid', '<>', kid)
        .where('status', '<>', 'next')
        .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', until)]))
        .execute();
    },

    /** No key that is no longer published, or that may not sign yet and is no emergency. */
    promote({ kid }: PublicHalf, at: number, isEmergency: boolean): Promise<boolean> {
      return writesRow(
        db
          .updateTable('signingKey')
          .set({ status: 'active', notBefore: at, notAfter: null })
          .where('kid', '=', kid)
          .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', at)]))
          // An active key stays active: of two servers that start at once, the second may have read the clock first.
          .$if(!isEmergency, (query) =>
            query.where((where) => where.or([where('notBefore', '<=', at), where('status', '=', 'active')])),
          ),
      );
    },

    /** Removes the keys that were published to sign next, except one. They have signed nothing. */
    removeNext(exceptKid = ''): Promise<{ kid: string }[]> {
      return db
        .deleteFrom('signingKey')
        .where('status', '=', 'next')
        .where('kid', '<>', exceptKid)
        .returning('kid')
        .execute();
    },
  };
}
