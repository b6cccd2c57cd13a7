import type { Db, NewPurchase, PurchaseRow } from '#api/db/schema.ts';

export type PurchasesRepository = ReturnType<typeof createPurchasesRepository>;

/** Statements about the table behind the feed of purchases. */
export function createPurchasesRepository(db: Db) {
  return {
    listNewest(limit: number): Promise<PurchaseRow[]> {
      return db
        .selectFrom('recentPurchase')
        .selectAll()
        .orderBy('boughtAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    /** Replaces all demo rows by these. If there are real purchases, it only deletes the demo rows. */
    replaceDemo(purchases: readonly NewPurchase[]): Promise<void> {
      return db.transaction().execute(async (trx) => {
        await trx.deleteFrom('recentPurchase').where('isDemo', '=', 1).execute();
        const real = await trx.selectFrom('recentPurchase').select('id').limit(1).executeTakeFirst();
        if (real || purchases.length === 0) return;

        // Two servers that start at once insert the same rows.
        await trx
          .insertInto('recentPurchase')
          .values(purchases.map((purchase) => ({ ...purchase, isDemo: 1 })))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      });
    },
  };
}
