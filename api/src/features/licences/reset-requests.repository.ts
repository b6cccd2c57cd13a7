import type { Db, NewResetRequest } from '#api/db/schema.ts';

export type ResetRequestsRepository = ReturnType<typeof createResetRequestsRepository>;

/** Statements about the table of links in mails: to reset the devices of a licence, or to add one. */
export function createResetRequestsRepository(db: Db) {
  return {
    async insert(request: NewResetRequest): Promise<void> {
      await db.insertInto('resetRequest').values(request).execute();
    },
  };
}
