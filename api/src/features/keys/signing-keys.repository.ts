import type { Db, SigningKeyRow } from '#api/db/schema.ts';

/** A key's public half, as it stands in the table. */
export type PublicHalf = Pick<SigningKeyRow, 'kid' | 'alg' | 'publicJwk'>;

export type SigningKeysRepository = ReturnType<typeof createSigningKeysRepository>;

/** Statements about the table of signing keys. */
export function createSigningKeysRepository(db: Db) {
  return {
    find(kid: string): Promise<SigningKeyRow | undefined> {
      return db.selectFrom('signingKey').selectAll().where('kid', '=', kid).executeTakeFirst();
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

    /** Whether any key signs or has signed. */
    async hasSigner(): Promise<boolean> {
      const signer = await db
        .selectFrom('signingKey')
        .select('kid')
        .where('status', '<>', 'next')
        .limit(1)
        .executeTakeFirst();
      return signer !== undefined;
    },

    /** Adds a key; the first one of an id stays. */
    async add(key: SigningKeyRow): Promise<boolean> {
      const added = await db
        .insertInto('signingKey')
        .values(key)
        // Of two servers that start for the first time at once, one is first; with the same key both have it.
        .onConflict((conflict) => conflict.doNothing())
        .returning('kid')
        .executeTakeFirst();
      return added !== undefined;
    },

    /** Publishes every other key that has signed until a moment, and no longer. */
    async retireOthers({ kid }: PublicHalf, until: number): Promise<void> {
      await db
        .updateTable('signingKey')
        .set({ status: 'retired', notAfter: until })
        .where('kid', '<>', kid)
        .where('status', '<>', 'next')
        .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', until)]))
        .execute();
    },

    /** Makes a known key the one that signs, unless it is retired, or its time has not come and nothing presses. */
    async promote({ kid }: PublicHalf, at: number, isEmergency: boolean): Promise<boolean> {
      const promoted = await db
        .updateTable('signingKey')
        .set({ status: 'active', notAfter: null })
        .where('kid', '=', kid)
        .where((where) => where.or([where('notAfter', 'is', null), where('notAfter', '>', at)]))
        // One that signs already goes on: of two servers that start at once, the second may have looked at the clock first.
        .$if(!isEmergency, (query) =>
          query.where((where) => where.or([where('notBefore', '<=', at), where('status', '=', 'active')])),
        )
        .returning('kid')
        .executeTakeFirst();
      return promoted !== undefined;
    },

    /** Removes the keys that were to sign next, but for one. They have signed nothing, so nobody misses them. */
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
