import type { AppId } from '@app/contracts/key-system';
import type { Kysely } from 'kysely';
import type { AppRow, Database } from '#api/db/schema.ts';

export type AppsRepository = ReturnType<typeof createAppsRepository>;

export function createAppsRepository(db: Kysely<Database>) {
  return {
    get(id: AppId): Promise<AppRow> {
      return db.selectFrom('app').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },
  };
}
