import type { WebhookScope } from '@app/contracts/webhooks';
import { createOutbox, IS_QUEUED } from '#api/foundation/db/outbox.ts';
import type { Db, NewWebhook, NewWebhookDelivery, WebhookDeliveryRow, WebhookRow } from '#api/foundation/db/schema.ts';

export function createWebhooksRepository(db: Db) {
  return {
    ...createOutbox(db, 'webhookDelivery'),

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

    /** Removes a webhook with its deliveries; undefined when there is none with this id. */
    remove(id: string): Promise<WebhookRow | undefined> {
      return db.deleteFrom('webhook').where('id', '=', id).returningAll().executeTakeFirst();
    },

    async removeAllOf(scope: WebhookScope, owner: string): Promise<void> {
      await db.deleteFrom('webhook').where('scope', '=', scope).where('owner', '=', owner).execute();
    },

    /** Notes up to which event a webhook has its deliveries; false when another server was first, or it is gone. */
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

    /** Disables a webhook whose receiver is gone; false when it was disabled before. */
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
