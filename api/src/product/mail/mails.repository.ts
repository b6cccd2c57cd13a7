import { sql } from 'kysely';
import type { Db, MailRow, NewMail } from '#api/foundation/db/schema.ts';

export type MailsRepository = ReturnType<typeof createMailsRepository>;

/** Statements about the queue of mails. Several servers may work on it at once. */
export function createMailsRepository(db: Db) {
  return {
    async insert(mail: NewMail): Promise<void> {
      await db.insertInto('mail').values(mail).execute();
    },

    /** Takes the mail that is due for the longest time, so that no other server sends it. */
    claimNext(at: number): Promise<MailRow | undefined> {
      return (
        db
          .updateTable('mail')
          .set((eb) => ({ state: 'sending', claimedAt: at, tries: eb('tries', '+', 1) }))
          .where('id', '=', (eb) =>
            eb
              .selectFrom('mail')
              .select('id')
              .where(IS_OPEN)
              .where('state', '=', 'queued')
              .where('nextTryAt', '<=', at)
              .orderBy('nextTryAt')
              .limit(1),
          )
          // Again for a server that has waited for another one's claim.
          .where('state', '=', 'queued')
          .returningAll()
          .executeTakeFirst()
      );
    },

    /** How many mails are not sent and not given up. */
    async countOpen(): Promise<number> {
      const { count } = await db
        .selectFrom('mail')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(IS_OPEN)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async markSent({ id }: MailRow, at: number): Promise<void> {
      await db
        .updateTable('mail')
        .set({ state: 'sent', sealedMessage: null, sentAt: at, error: null })
        .where('id', '=', id)
        .execute();
    },

    /** Plans the next try of a claimed mail. */
    async planRetry({ id, claimedAt }: MailRow, error: string, nextTryAt: number): Promise<void> {
      await whileClaimed(db, id, claimedAt).set({ state: 'queued', nextTryAt, error }).execute();
    },

    /** Gives a claimed mail up. Its text is removed. */
    async giveUp({ id, claimedAt }: MailRow, error: string): Promise<void> {
      await whileClaimed(db, id, claimedAt).set({ state: 'failed', sealedMessage: null, error }).execute();
    },

    /**
     * Makes every mail that waits due, with all its tries.
     * @returns how many these are
     */
    async makeDue(at: number): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('mail')
        .set({ nextTryAt: at, tries: 0 })
        .where(IS_OPEN)
        .where('state', '=', 'queued')
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** Lists the mails that wait or are being sent, the one that is due first at the top. */
    listOpen(limit: number) {
      return db
        .selectFrom('mail')
        .select(['id', 'kind', 'state', 'createdAt', 'tries', 'nextTryAt', 'error'])
        .where(IS_OPEN)
        .orderBy('nextTryAt')
        .limit(limit)
        .execute();
    },

    /** Puts mails back into the queue whose sender has ended in the middle of its work. */
    async releaseStaleClaims(claimedBefore: number): Promise<void> {
      await db
        .updateTable('mail')
        .set({ state: 'queued' })
        .where(IS_OPEN)
        .where('state', '=', 'sending')
        .where('claimedAt', '<=', claimedBefore)
        .execute();
    },
  };
}

/** The condition of the index `mail_due`. Literals and not parameters: otherwise the databases do not use the index. */
const IS_OPEN = sql<boolean>`state IN ('queued', 'sending')`;

function whileClaimed(db: Db, id: string, claimedAt: number | null) {
  return db.updateTable('mail').where('id', '=', id).where('state', '=', 'sending').where('claimedAt', '=', claimedAt);
}
