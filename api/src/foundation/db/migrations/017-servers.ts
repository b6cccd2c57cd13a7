import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import type { Database } from '#api/foundation/db/schema.ts';

/**
 * The servers that work on this database. On PostgreSQL the table is in no log: what it says is true for seconds only,
 * so its commits wait neither for the disk nor for a standby, and a standby that takes over begins with an empty one.
 */
export const servers: Migration = {
  async up(db: Kysely<Database>) {
    await sql
      .raw(
        `CREATE ${isSqlite(db) ? '' : 'UNLOGGED'} TABLE server (
          name TEXT NOT NULL PRIMARY KEY,
          peer_url TEXT,
          sockets BIGINT NOT NULL,
          seen_at BIGINT NOT NULL
        )`,
      )
      .execute(db);
  },
};
