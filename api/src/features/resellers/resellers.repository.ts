import type { Db, NewReseller, ResellerRow } from '#api/db/schema.ts';

export type ResellersRepository = ReturnType<typeof createResellersRepository>;

/** Statements about the table of resellers. */
export function createResellersRepository(db: Db) {
  return {
    list(): Promise<ResellerRow[]> {
      return db.selectFrom('reseller').selectAll().orderBy('position').orderBy('id').execute();
    },

    find(id: string): Promise<ResellerRow | undefined> {
      return db.selectFrom('reseller').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** Fills an empty table; a table with rows stays as it is. */
    seed(resellers: readonly NewReseller[]): Promise<void> {
      return db.transaction().execute(async (trx) => {
        if (await trx.selectFrom('reseller').select('id').limit(1).executeTakeFirst()) return;

        // Two servers that start at once insert the same rows.
        await trx
          .insertInto('reseller')
          .values(resellers)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      });
    },
  };
}
