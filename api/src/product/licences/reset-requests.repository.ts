import type { Db, NewResetRequest, ResetRequestRow } from '#api/foundation/db/schema.ts';

type Purpose = ResetRequestRow['purpose'];

/** A person who wants another mail takes longer, to look for the first. */
const REPEAT_WINDOW_MS = 5000;

export type ResetRequestsRepository = ReturnType<typeof createResetRequestsRepository>;

/** Statements about the table of links in mails: to reset the devices of a licence, or to add one. */
export function createResetRequestsRepository(db: Db) {
  return {
    async insert(request: NewResetRequest): Promise<void> {
      await db.insertInto('resetRequest').values(request).execute();
    },

    /** The request of a link that still works. */
    findOpen(purpose: Purpose, tokenHash: string, at: number): Promise<ResetRequestRow | undefined> {
      return db
        .selectFrom('resetRequest')
        .selectAll()
        .where('tokenHash', '=', tokenHash)
        .where('purpose', '=', purpose)
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', at)
        .executeTakeFirst();
    },

    /** Uses a link up; false when it was used before, or has ended. */
    async use(id: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('resetRequest')
        .set({ usedAt: at })
        .where('id', '=', id)
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', at)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /**
     * Whether the same link was asked for just now. A browser repeats a request whose connection breaks, unasked.
     * @param deviceId the device that it adds; null for one that resets devices
     */
    async isRepeated(licenceIds: readonly string[], deviceId: string | null, at: number): Promise<boolean> {
      const asked = await db
        .selectFrom('resetRequest')
        .select('id')
        .where('licenceId', 'in', licenceIds)
        .where('purpose', '=', deviceId === null ? 'reset' : 'claim')
        .where('deviceId', deviceId === null ? 'is' : '=', deviceId)
        .where('createdAt', '>', at - REPEAT_WINDOW_MS)
        .where('usedAt', 'is', null)
        .executeTakeFirst();
      return asked !== undefined;
    },

    async countOpen(purpose: Purpose, licenceIds: readonly string[], at: number): Promise<number> {
      const { open } = await db
        .selectFrom('resetRequest')
        .select((eb) => eb.fn.countAll<number | string>().as('open'))
        .where('licenceId', 'in', licenceIds)
        .where('purpose', '=', purpose)
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', at)
        .executeTakeFirstOrThrow();
      return Number(open);
    },

    /** Ends the unused links of these licences: those that add this device, or with null those that reset. */
    async endOpen(licenceIds: readonly string[], deviceId: string | null, at: number): Promise<void> {
      const links = db
        .updateTable('resetRequest')
        .set({ expiresAt: at })
        .where('licenceId', 'in', licenceIds)
        .where('purpose', '=', deviceId === null ? 'reset' : 'claim')
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', at);
      await (deviceId === null ? links : links.where('deviceId', '=', deviceId)).execute();
    },

    /** When the devices of these licences were reset after a moment. */
    async listResets(licenceIds: readonly string[], after: number): Promise<number[]> {
      const used = await db
        .selectFrom('resetRequest')
        .select('usedAt')
        .where('licenceId', 'in', licenceIds)
        .where('purpose', '=', 'reset')
        .where('usedAt', '>', after)
        .execute();
      return used.flatMap(({ usedAt }) => (usedAt === null ? [] : [usedAt]));
    },
  };
}
