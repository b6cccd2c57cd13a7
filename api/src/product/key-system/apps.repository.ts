import type { AppId } from '@app/contracts/key-system';
import type { AppRow, Db } from '#api/foundation/db/schema.ts';

/** Statements about the table of apps. */
export function createAppsRepository(db: Db) {
  return {
    get(id: AppId): Promise<AppRow> {
      return db.selectFrom('app').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },

    /**
     * Notes how long a run of the app usually takes.
     * @returns false when that was noted already; nothing is written then
     */
    async noteUsualRun(id: AppId, usualRunMs: number | null): Promise<boolean> {
      const noted = await db
        .updateTable('app')
        .set({ usualRunMs })
        .where('id', '=', id)
        .where('usualRunMs', 'is distinct from', usualRunMs)
        .returning('id')
        .executeTakeFirst();
      return noted !== undefined;
    },
  };
}
