import { expect, test } from 'vitest';
import { buildPurchase, buildReseller, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertOrder } from '#api/test/product/insert-order.ts';
import { createPurchasesRepository } from './purchases.repository.ts';

describeEachDatabase('purchases', (db) => {
  test('the newest paid orders come first, only as many as wanted, and none that is not paid', async () => {
    const purchases = createPurchasesRepository(db());
    await insertOrder(db(), { id: 'old', paidAt: T0 - 3000 });
    await insertOrder(db(), { id: 'new', paidAt: T0 - 1000 });
    await insertOrder(db(), { id: 'middle', paidAt: T0 - 2000 });
    await insertOrder(db(), { id: 'refunded', state: 'refunded', refundedAt: T0 });
    await insertOrder(db(), { id: 'open', state: 'redirected', paidAt: null });

    expect((await purchases.listNewestOrders(2)).map(({ id }) => id)).toEqual(['new', 'middle']);
    expect(await purchases.listNewestOrders(20)).toHaveLength(3);
  });

  test('only codes that were redeemed are purchases, the newest first', async () => {
    await db()
      .insertInto('reseller')
      .values(buildReseller({ id: 'store' }))
      .execute();
    const codes = [null, T0, T0 + 2, T0 + 1].map((redeemedAt, n) => ({
      id: `code-${String(n)}`,
      codeHash: `hash-${String(n)}`,
      resellerId: 'store',
      planId: 'plus' as const,
      batchId: null,
      issuedAt: T0 - 1,
      redeemedAt,
    }));
    await db().insertInto('licenceCode').values(codes).execute();

    expect(await createPurchasesRepository(db()).listNewestRedemptions(2)).toEqual([T0 + 2, T0 + 1]);
  });

  test('a second start brings the demo up to date instead of doubling it', async () => {
    const purchases = createPurchasesRepository(db());
    await purchases.replaceDemo([buildPurchase({ id: 'demo-1' }), buildPurchase({ id: 'demo-2' })]);
    await purchases.replaceDemo([buildPurchase({ id: 'demo-1', boughtAt: T0 + 5000 })]);

    expect(await purchases.listDemo(20)).toMatchObject([{ id: 'demo-1', boughtAt: T0 + 5000, isDemo: 1 }]);
  });
});
