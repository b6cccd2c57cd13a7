import type { OrderState } from '@app/contracts/checkout';
import type { Db, NewOrder, NewWebhookEvent, OrderRow, PaymentRow } from '#api/foundation/db/schema.ts';
import type { ReverseReason } from '#api/foundation/db/tables/checkout.ts';

/**
 * The states that an order can move to a state from. An order is `created` before the provider knows it, `redirected`
 * when its buyer was sent to pay. Money that arrives late counts: a failed or expired order can still be paid. What its
 * payments say together decides between `paid` and `refunded`, and may be told backwards.
 */
const PREVIOUS_STATES = {
  redirected: ['created'],
  expired: ['created', 'redirected'],
  failed: ['created', 'redirected', 'expired'],
  paid: ['created', 'redirected', 'failed', 'expired', 'refunded'],
  refunded: ['created', 'redirected', 'failed', 'expired', 'paid'],
} as const satisfies Record<Exclude<OrderState, 'created'>, readonly OrderState[]>;

/** The states in which an order waits for its buyer. */
export const OPEN_STATES: readonly OrderState[] = ['created', 'redirected'];

export type OrderOfDevice = OrderRow & { hwidHmac: string };

export type OrderChanges = Partial<Omit<OrderRow, 'id' | 'state'>>;

/** What each state of a payment may follow. */
const REPLACED_REASONS = {
  refund: ['refund', 'dispute', 'won'],
  dispute: ['dispute'],
  won: ['dispute', 'won'],
} as const satisfies Record<ReverseReason, readonly ReverseReason[]>;

export function createOrdersRepository(db: Db) {
  return {
    /** Stores an order; false when there is one for the same click. */
    async insert(order: NewOrder): Promise<boolean> {
      const inserted = await db
        .insertInto('purchaseOrder')
        .values(order)
        .onConflict((conflict) => conflict.column('idemKey').doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    find(id: string): Promise<OrderOfDevice | undefined> {
      return selectOrder(db).where('purchaseOrder.id', '=', id).executeTakeFirst();
    },

    /** The newest orders that were begun since then. */
    listNewest({ since, state, limit }: { since: number; state?: OrderState | undefined; limit: number }) {
      const orders = selectOrder(db).where('createdAt', '>=', since);
      return (state === undefined ? orders : orders.where('state', '=', state))
        .orderBy('createdAt', 'desc')
        .orderBy('purchaseOrder.id')
        .limit(limit)
        .execute();
    },

    findByClick(idemKey: string): Promise<OrderOfDevice | undefined> {
      return selectOrder(db).where('idemKey', '=', idemKey).executeTakeFirst();
    },

    findByPayment(paymentRef: string): Promise<OrderOfDevice | undefined> {
      const orderId = db.selectFrom('payment').select('orderId').where('ref', '=', paymentRef);
      // Servers of the previous release note the order's payment with the order alone.
      return selectOrder(db)
        .where((eb) => eb.or([eb('purchaseOrder.id', '=', orderId), eb('paymentRef', '=', paymentRef)]))
        .executeTakeFirst();
    },

    /**
     * Moves an order to a state, and locks it until the transaction ends.
     * @param from the states that it may be in
     * @returns false when the order stands in a state that has no such move
     */
    async move(
      id: string,
      to: Exclude<OrderState, 'created'>,
      changes: OrderChanges = {},
      from: readonly OrderState[] = PREVIOUS_STATES[to],
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('purchaseOrder')
        .set({ ...changes, state: to })
        .where('id', '=', id)
        .where('state', 'in', from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async setShowsName(id: string, showsName: boolean): Promise<void> {
      await db
        .updateTable('purchaseOrder')
        .set({ showsName: showsName ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    },

    /** Notes a payment, and locks it until the transaction ends: its message and that of its refund come one by one. */
    async notePayment(ref: string, orderId: string, at: number): Promise<void> {
      await db
        .insertInto('payment')
        .values({ ref, orderId, toldAt: at, reversedAt: null, reverseReason: null })
        .onConflict((conflict) => conflict.column('ref').doUpdateSet({ orderId }))
        .execute();
    },

    /** Locks an order until the transaction ends, and lists its payments, the first one first. */
    async lockPayments(orderId: string): Promise<Pick<PaymentRow, 'ref' | 'reversedAt' | 'reverseReason'>[]> {
      const order = db.updateTable('purchaseOrder').where('id', '=', orderId);
      const { paymentRef } = await order
        .set((eb) => ({ createdAt: eb.ref('createdAt') }))
        .returning('paymentRef')
        .executeTakeFirstOrThrow();
      return db
        .selectFrom('payment')
        .select(['ref', 'reversedAt', 'reverseReason'])
        .where((eb) => eb.or([eb('orderId', '=', orderId), eb('ref', '=', paymentRef ?? '')]))
        .orderBy('toldAt')
        .orderBy('ref')
        .execute();
    },

    /**
     * Notes that a payment was given back, or that its dispute was won, and locks it; also before its order is known to
     * be paid.
     * @returns false when that is an older message: a refund is final, and so is the end of a dispute
     */
    async noteReversal(ref: string, reason: ReverseReason, at: number): Promise<boolean> {
      const state = { reversedAt: reason === 'won' ? null : at, reverseReason: reason };
      const noted = await db
        .insertInto('payment')
        .values({ ref, toldAt: at, orderId: null, ...state })
        .onConflict((conflict) =>
          conflict
            .column('ref')
            .doUpdateSet(state)
            .where((eb) =>
              eb.or([
                eb('payment.reverseReason', 'is', null),
                eb('payment.reverseReason', 'in', REPLACED_REASONS[reason]),
              ]),
            ),
        )
        .returning('ref')
        .executeTakeFirst();
      return noted !== undefined;
    },
  };
}

function selectOrder(db: Db) {
  return db
    .selectFrom('purchaseOrder')
    .innerJoin('device', 'device.id', 'purchaseOrder.deviceId')
    .selectAll('purchaseOrder')
    .select('device.hwidHmac');
}

export function createWebhookEventsRepository(db: Db) {
  return {
    /** Stores a message; false when it was handled before. A second delivery at the same time waits for the first. */
    async insert(event: NewWebhookEvent): Promise<boolean> {
      const inserted = await db
        .insertInto('webhookEvent')
        .values(event)
        .onConflict((conflict) => conflict.columns(['provider', 'eventId']).doNothing())
        .returning('eventId')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    /** Notes why a message changed nothing although it should have. */
    async noteError(provider: string, eventId: string, error: string): Promise<void> {
      await db
        .updateTable('webhookEvent')
        .set({ error })
        .where('provider', '=', provider)
        .where('eventId', '=', eventId)
        .execute();
    },
  };
}
