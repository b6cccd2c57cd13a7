import type { Db, StrikeRow } from '#api/foundation/db/schema.ts';

/** Statements about the table of strikes. */
export function createStrikesRepository(db: Db) {
  return {
    async add(strike: StrikeRow): Promise<void> {
      await db.insertInto('strike').values(strike).execute();
    },

    /** The strikes of a device after `since`. */
    listSince(deviceId: string, since: number): Promise<StrikeRow[]> {
      return db
        .selectFrom('strike')
        .select(['id', 'deviceId', 'visitorHmac', 'ipHmac', 'code', 'weight', 'at'])
        .where('deviceId', '=', deviceId)
        .where('at', '>', since)
        .execute();
    },
  };
}
