import type { Db, LicenceRow, NewResetRequest } from '#api/db/schema.ts';

export type LicencesRepository = ReturnType<typeof createLicencesRepository>;

/** Statements about the tables of licences and reset requests. */
export function createLicencesRepository(db: Db) {
  return {
    /** The newest licence of an e-mail address. */
    findByEmail(emailHmac: string): Promise<Pick<LicenceRow, 'id'> | undefined> {
      return db
        .selectFrom('licence')
        .select('id')
        .where('emailHmac', '=', emailHmac)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    async recordReset(request: NewResetRequest): Promise<void> {
      await db.insertInto('resetRequest').values(request).execute();
    },
  };
}
