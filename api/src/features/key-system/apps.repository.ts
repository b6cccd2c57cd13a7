import type { AppId } from '@app/contracts/key-system';
import type { AppRow, Db } from '#api/db/schema.ts';

export type AppsRepository = ReturnType<typeof createAppsRepository>;

/** Statements about the table of apps. */
export function createAppsRepository(db: Db) {
  return {
    get(id: AppId): Promise<AppRow> {
      return db.selectFrom('app').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },
  };
}
