import { sql } from 'kysely';
import type { Db } from '#api/foundation/db/schema.ts';
import { DAY_MS } from '#api/foundation/audit/anchor.ts';

/** From when on, and before when; epoch milliseconds. */
export interface Range {
  from: number;
  before: number;
}

/** Counts what was sold. Money is in cents, days are UTC days since 1970. */
export function createSalesRepository(db: Db) {
  // A literal: a bound number would be a float for SQLite, and the division would not be one of whole numbers.
  const dayOf = (column: 'paidAt' | 'redeemedAt') => sql<number>`${sql.ref(column)} / ${sql.lit(DAY_MS)}`;

  return {
    /** The paid orders of each day and plan, and how many of these were given back, whenever that was. */
    countOrders({ from, before }: Range) {
      const isRefunded = sql<boolean>`state = 'refunded'`;
      return db
        .selectFrom('purchaseOrder')
        .select(({ fn, eb }) => [
          dayOf('paidAt').as('day'),
          'mode',
          fn.countAll<number>().as('orders'),
          fn.sum<number>('amountCents').as('cents'),
          fn.sum<number>(eb.case().when(isRefunded).then(1).else(0).end()).as('refunds'),
          fn.sum<number>(eb.case().when(isRefunded).then(eb.ref('amountCents')).else(0).end()).as('refundedCents'),
        ])
        .where('state', 'in', ['paid', 'refunded'])
        .where('paidAt', '>=', from)
        .where('paidAt', '<', before)
        .groupBy([dayOf('paidAt'), 'mode'])
        .orderBy('day')
        .orderBy('mode')
        .execute();
    },

    /** The redeemed codes of each day, reseller and plan. */
    countCodes({ from, before }: Range) {
      return db
        .selectFrom('licenceCode')
        .select(({ fn }) => [dayOf('redeemedAt').as('day'), 'resellerId', 'planId', fn.countAll<number>().as('codes')])
        .where('redeemedAt', '>=', from)
        .where('redeemedAt', '<', before)
        .groupBy([dayOf('redeemedAt'), 'resellerId', 'planId'])
        .orderBy('day')
        .orderBy('resellerId')
        .orderBy('planId')
        .execute();
    },
  };
}
