import type { Db, NewWebhookEvent } from '#api/foundation/db/schema.ts';

/** Statements about the table of the provider's messages. */
export function createWebhookEventsRepository(db: Db) {
  return {
    /**
     * Stores a message. A second delivery at the same time waits for the first one's transaction.
     * @returns false when the message was handled before
     */
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
