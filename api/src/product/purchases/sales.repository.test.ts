import { expect, test } from 'vitest';
import { buildReseller } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertOrder } from '#api/test/product/insert-order.ts';
import { createSalesRepository } from './sales.repository.ts';

const DAY = 24 * 60 * 60 * 1000;
/** The beginning of a UTC day. */
const MIDNIGHT = Date.UTC(2027, 0, 15);
const TODAY = MIDNIGHT / DAY;
const RANGE = { from: MIDNIGHT - DAY, before: MIDNIGHT + DAY };

describeEachDatabase('sales', (db) => {
  test('orders are counted by UTC day and plan, and refunds on the day of their payment', async () => {
    const paid = (paidAt: number, changes = {}) => insertOrder(db(), { paidAt, ...changes });
    await paid(MIDNIGHT - DAY - 1);
    await paid(MIDNIGHT - 1);
    await paid(MIDNIGHT);
    await paid(MIDNIGHT + 1, { state: 'refunded', refundedAt: MIDNIGHT + 5 * DAY });
    await paid(MIDNIGHT + DAY - 1, { mode: 3, amountCents: 1499 });
    await paid(MIDNIGHT + DAY);
    await insertOrder(db(), { state: 'expired', paidAt: null });

    expect(await createSalesRepository(db()).countOrders(RANGE)).toEqual([
      { day: TODAY - 1, mode: 2, orders: 1, cents: 299, refunds: 0, refundedCents: 0 },
      { day: TODAY, mode: 2, orders: 2, cents: 598, refunds: 1, refundedCents: 299 },
      { day: TODAY, mode: 3, orders: 1, cents: 1499, refunds: 0, refundedCents: 0 },
    ]);
  });

  test('redeemed codes are counted by UTC day, reseller and plan', async () => {
    await db()
      .insertInto('reseller')
      .values([buildReseller({ id: 'a' }), buildReseller({ id: 'b' })])
      .execute();
    const codes = [
      ['a', 'basic', MIDNIGHT],
      ['a', 'basic', MIDNIGHT + 1],
      ['a', 'plus', MIDNIGHT],
      ['b', 'basic', MIDNIGHT - 1],
      ['b', 'basic', MIDNIGHT + DAY],
      ['b', 'basic', null],
    ] as const;
    await db()
      .insertInto('licenceCode')
      .values(
        codes.map(([resellerId, planId, redeemedAt], n) => ({
          ...{ id: String(n), codeHash: String(n), batchId: null, issuedAt: 1 },
          ...{ resellerId, planId, redeemedAt },
        })),
      )
      .execute();

    expect(await createSalesRepository(db()).countCodes(RANGE)).toEqual([
      { day: TODAY - 1, resellerId: 'b', planId: 'basic', codes: 1 },
      { day: TODAY, resellerId: 'a', planId: 'basic', codes: 2 },
      { day: TODAY, resellerId: 'a', planId: 'plus', codes: 1 },
    ]);
  });
});
