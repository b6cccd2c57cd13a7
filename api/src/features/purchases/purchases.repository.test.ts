import { expect, test } from 'vitest';
import { buildPurchase, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { createPurchasesRepository } from './purchases.repository.ts';

describeEachDatabase('purchases', (db) => {
  test('the newest come first, and only as many as wanted', async () => {
    const purchases = createPurchasesRepository(db());
    for (const [id, ago] of [
      ['old', 3000],
      ['new', 1000],
      ['middle', 2000],
    ] as const) {
      await db()
        .insertInto('recentPurchase')
        .values(buildPurchase({ id, boughtAt: T0 - ago }))
        .execute();
    }

    expect((await purchases.listNewest(2)).map(({ id }) => id)).toEqual(['new', 'middle']);
  });

  test('a time stays a number of milliseconds', async () => {
    const purchases = createPurchasesRepository(db());
    await db().insertInto('recentPurchase').values(buildPurchase()).execute();

    expect(await purchases.listNewest(1)).toMatchObject([{ boughtAt: T0, isDemo: 0 }]);
  });

  test('a second start brings the demo up to date instead of doubling it', async () => {
    const purchases = createPurchasesRepository(db());
    await purchases.replaceDemo([buildPurchase({ id: 'demo-1' }), buildPurchase({ id: 'demo-2' })]);
    await purchases.replaceDemo([buildPurchase({ id: 'demo-1', boughtAt: T0 + 5000 })]);

    expect(await purchases.listNewest(20)).toMatchObject([{ id: 'demo-1', boughtAt: T0 + 5000, isDemo: 1 }]);
  });

  test('where there is a real purchase, the demo goes and the purchase stays', async () => {
    const purchases = createPurchasesRepository(db());
    await purchases.replaceDemo([buildPurchase({ id: 'demo-1' })]);
    await db()
      .insertInto('recentPurchase')
      .values(buildPurchase({ id: 'real' }))
      .execute();
    await purchases.replaceDemo([buildPurchase({ id: 'demo-1' })]);

    expect((await purchases.listNewest(20)).map(({ id }) => id)).toEqual(['real']);
  });
});
