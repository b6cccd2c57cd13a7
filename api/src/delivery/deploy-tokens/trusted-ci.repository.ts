import type { Unit } from '@app/contracts/unit';
import type { Db, TrustedCiRow } from '#api/foundation/db/schema.ts';

/** Statements about the CI jobs that operators trust. */
export function createTrustedCiRepository(db: Db) {
  return {
    /** All of them by unit, or those with one issuer. */
    list(issuer?: string): Promise<TrustedCiRow[]> {
      return db
        .selectFrom('trustedCi')
        .selectAll()
        .$if(issuer !== undefined, (query) => query.where('issuer', '=', issuer ?? ''))
        .orderBy('unit')
        .orderBy('createdAt')
        .orderBy('id')
        .execute();
    },

    async add(row: TrustedCiRow): Promise<void> {
      await db.insertInto('trustedCi').values(row).execute();
    },

    /** @returns undefined when there is none with this id */
    remove(id: string): Promise<TrustedCiRow | undefined> {
      return db.deleteFrom('trustedCi').where('id', '=', id).returningAll().executeTakeFirst();
    },

    /** Removes those of a unit. */
    async removeAll(unit: Unit): Promise<void> {
      await db.deleteFrom('trustedCi').where('unit', '=', unit).execute();
    },
  };
}
