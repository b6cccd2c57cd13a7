import type { Db, NewPurchase, PurchaseRow } from '#api/db/schema.ts';

export type PurchasesRepository = ReturnType<typeof createPurchasesRepository>;

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

    /** Puts these in the place of all demo rows, unless there are real purchases to show: then there is no demo any more. */
    replaceDemo(purchases: readonly NewPurchase[]): Promise<void> {
      return db.transaction().execute(async (trx) => {
        await trx.deleteFrom('recentPurchase').where('isDemo', '=', 1).execute();
        const real = await trx.selectFrom('recentPurchase').select('id').limit(1).executeTakeFirst();
        if (real || purchases.length === 0) return;

        // Two servers that start at once bring the same rows.
        await trx
          .insertInto('recentPurchase')
          .values(purchases.map((purchase) => ({ ...purchase, isDemo: 1 })))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      });
    },
  };
}
