import type { Db, NewPurchase, OrderRow, PurchaseRow } from '#api/foundation/db/schema.ts';

export type PaidOrder = Pick<OrderRow, 'id' | 'sealedBuyer' | 'countryCode' | 'showsName'> & { paidAt: number };

/** Statements about what the feed of purchases shows: paid orders, redeemed codes, and the demo. */
export function createPurchasesRepository(db: Db) {
  return {
    /** The newest orders that are paid and not given back. */
    listNewestOrders(limit: number): Promise<PaidOrder[]> {
      return db
        .selectFrom('purchaseOrder')
        .select(['id', 'sealedBuyer', 'countryCode', 'showsName', 'paidAt'])
        .where('state', '=', 'paid')
        .where('paidAt', 'is not', null)
        .$narrowType<{ paidAt: number }>()
        .orderBy('paidAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    /** When the newest codes were redeemed. */
    async listNewestRedemptions(limit: number): Promise<number[]> {
      const codes = await db
        .selectFrom('licenceCode')
        .select('redeemedAt')
        .where('redeemedAt', 'is not', null)
        .$narrowType<{ redeemedAt: number }>()
        .orderBy('redeemedAt', 'desc')
        .limit(limit)
        .execute();
      return codes.map(({ redeemedAt }) => redeemedAt);
    },

    listDemo(limit: number): Promise<PurchaseRow[]> {
      return db
        .selectFrom('recentPurchase')
        .selectAll()
        .where('isDemo', '=', 1)
        .orderBy('boughtAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    replaceDemo(purchases: readonly NewPurchase[]): Promise<void> {
      return db.transaction().execute(async (trx) => {
        await trx.deleteFrom('recentPurchase').where('isDemo', '=', 1).execute();
        if (purchases.length === 0) return;

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
