import type { Db, NewStatsToken, StatsTokenRow } from '#api/foundation/db/schema.ts';

/** Statements about the tokens with which authors read the figures of their apps. */
export function createStatsTokensRepository(db: Db) {
  return {
    findByHash(hash: string): Promise<StatsTokenRow | undefined> {
      return db.selectFrom('statsToken').selectAll().where('hash', '=', hash).executeTakeFirst();
    },

    /** All tokens, by app, the newest first. */
    list(): Promise<StatsTokenRow[]> {
      return db
        .selectFrom('statsToken')
        .selectAll()
        .orderBy('appId')
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .execute();
    },

    async add(token: NewStatsToken): Promise<void> {
      await db.insertInto('statsToken').values(token).execute();
    },

    /** Undefined when there is no token with this id, or it was revoked before. */
    revoke(id: string, at: number): Promise<StatsTokenRow | undefined> {
      return db
        .updateTable('statsToken')
        .set({ revokedAt: at })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .returningAll()
        .executeTakeFirst();
    },

    async noteUse(id: string, at: number): Promise<void> {
      await db.updateTable('statsToken').set({ lastUsedAt: at }).where('id', '=', id).execute();
    },
  };
}
