import type { WebhookScope } from '@app/contracts/webhooks';
import { sql } from 'kysely';
import type { Db, NewWebhook, NewWebhookDelivery, WebhookDeliveryRow, WebhookRow } from '#api/foundation/db/schema.ts';

/** How a delivery ended. */
interface End {
  state: 'delivered' | 'failed';
  outcome: string;
  at: number;
}

/** Statements about webhooks and their deliveries. Several servers may work on them at once. */
export function createWebhooksRepository(db: Db) {
  return {
    /** All webhooks, the oldest first. */
    list(): Promise<WebhookRow[]> {
      return db.selectFrom('webhook').selectAll().orderBy('id').execute();
    },

    find(id: string): Promise<WebhookRow | undefined> {
      return db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst();
    },

    async add(webhook: NewWebhook): Promise<void> {
      await db.insertInto('webhook').values(webhook).execute();
    },

    /**
     * Removes a webhook with its deliveries.
     * @returns undefined when there is none with this id
     */
    remove(id: string): Promise<WebhookRow | undefined> {
      return db.deleteFrom('webhook').where('id', '=', id).returningAll().executeTakeFirst();
    },

    async removeAllOf(scope: WebhookScope, owner: string): Promise<void> {
      await db.deleteFrom('webhook').where('scope', '=', scope).where('owner', '=', owner).execute();
    },

    /**
     * Notes up to which event of the audit a webhook has its deliveries.
     * @returns false when another server was first, or the webhook is gone
     */
    async advance({ id, afterSeq }: WebhookRow, seq: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('webhook')
        .set({ afterSeq: seq })
        .where('id', '=', id)
        .where('afterSeq', '=', afterSeq)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async addDeliveries(deliveries: NewWebhookDelivery[]): Promise<void> {
      if (deliveries.length > 0) await db.insertInto('webhookDelivery').values(deliveries).execute();
    },

    /** The webhooks that have something to deliver by now. However much that is, one row of each is looked at. */
    async listDue(at: number): Promise<string[]> {
      const rows = await db
        .selectFrom('webhook')
        .select('id')
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('webhookDelivery')
              .select('webhookId')
              .whereRef('webhookId', '=', 'webhook.id')
              .where(IS_QUEUED)
              .where('nextTryAt', '<=', at),
          ),
        )
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Takes the deliveries of a webhook that are due for the longest time, so that no other server sends them. */
    claim(webhookId: string, at: number, limit: number): Promise<WebhookDeliveryRow[]> {
      return (
        db
          .updateTable('webhookDelivery')
          .set((eb) => ({ state: 'sending', claimedAt: at, tries: eb('tries', '+', 1) }))
          .where('id', 'in', (eb) =>
            eb
              .selectFrom('webhookDelivery')
              .select('id')
              .where(IS_QUEUED)
              .where('webhookId', '=', webhookId)
              .where('nextTryAt', '<=', at)
              .orderBy('nextTryAt')
              .orderBy('id')
              .limit(limit),
          )
          // Again for a server that has waited for another one's claim.
          .where('state', '=', 'queued')
          .returningAll()
          .execute()
      );
    },

    /** Puts deliveries back into the queue whose server has ended in the middle of its work. */
    async releaseStaleClaims(claimedBefore: number): Promise<void> {
      await db
        .updateTable('webhookDelivery')
        .set({ state: 'queued' })
        .where(IS_SENDING)
        .where('claimedAt', '<=', claimedBefore)
        .execute();
    },

    async planRetry(delivery: WebhookDeliveryRow, outcome: string, nextTryAt: number): Promise<void> {
      await whileClaimed(db, delivery).set({ state: 'queued', nextTryAt, outcome }).execute();
    },

    /** Ends a claimed delivery. One that was delivered stays so, even if another server has claimed it meanwhile. */
    async end(delivery: WebhookDeliveryRow, { state, outcome, at }: End): Promise<void> {
      const change = { state, outcome, endedAt: at };
      if (state === 'failed') await whileClaimed(db, delivery).set(change).execute();
      else await db.updateTable('webhookDelivery').set(change).where('id', '=', delivery.id).execute();
    },

    /**
     * Disables a webhook whose receiver is gone.
     * @returns false when it was disabled before
     */
    async disable(id: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('webhook')
        .set({ disabledAt: at })
        .where('id', '=', id)
        .where('disabledAt', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Has a disabled webhook told of events again, from the one after `afterSeq` on. */
    async enable(id: string, afterSeq: number): Promise<void> {
      await db
        .updateTable('webhook')
        .set({ disabledAt: null, afterSeq })
        .where('id', '=', id)
        .where('disabledAt', 'is not', null)
        .execute();
    },

    findDelivery(id: string): Promise<WebhookDeliveryRow | undefined> {
      return db.selectFrom('webhookDelivery').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /**
     * Makes deliveries due, with all their tries: one, or all of a webhook that wait or were given up. Tests are not
     * repeated.
     * @returns how many these are
     */
    async makeDue(which: { delivery: string } | { webhook: string }, at: number): Promise<number> {
      const all = db
        .updateTable('webhookDelivery')
        .set({ state: 'queued', nextTryAt: at, tries: 0, endedAt: null })
        .where('seq', 'is not', null)
        .where('state', '<>', 'sending');
      const { numUpdatedRows } = await (
        'delivery' in which
          ? all.where('id', '=', which.delivery)
          : all.where('webhookId', '=', which.webhook).where('state', 'in', ['queued', 'failed'])
      ).executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** The newest deliveries of a webhook first. */
    listDeliveries(webhookId: string, limit: number): Promise<WebhookDeliveryRow[]> {
      return db
        .selectFrom('webhookDelivery')
        .selectAll()
        .where('webhookId', '=', webhookId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** How many deliveries of each webhook are in each state. */
    async countStates(): Promise<(Pick<WebhookDeliveryRow, 'webhookId' | 'state'> & { count: number })[]> {
      const rows = await db
        .selectFrom('webhookDelivery')
        .select(({ fn }) => ['webhookId', 'state', fn.countAll<number>().as('count')])
        .groupBy(['webhookId', 'state'])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },
  };
}

/** The conditions of the indexes. Literals: with parameters the databases do not use those. */
const IS_QUEUED = sql<boolean>`state = 'queued'`;
const IS_SENDING = sql<boolean>`state = 'sending'`;

function whileClaimed(db: Db, { id, claimedAt }: WebhookDeliveryRow) {
  return db
    .updateTable('webhookDelivery')
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('claimedAt', '=', claimedAt);
}
