import { createOutbox, IS_OPEN } from '#api/foundation/db/outbox.ts';
import type { Db, NewMail } from '#api/foundation/db/schema.ts';

export type MailsRepository = ReturnType<typeof createMailsRepository>;

export function createMailsRepository(db: Db) {
  return {
    ...createOutbox(db, 'mail'),

    async insert(mail: NewMail): Promise<void> {
      await db.insertInto('mail').values(mail).execute();
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

    /** Makes every mail that waits due, with all its tries; returns how many these are. */
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
  };
}
