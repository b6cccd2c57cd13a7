import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** Until when a pin of a browser may name a release. */
export const pinnedUntil: Migration = {
  async up(db: Kysely<Database>) {
    await sql`ALTER TABLE "release" ADD COLUMN pinned_until BIGINT`.execute(db);
  },
};
