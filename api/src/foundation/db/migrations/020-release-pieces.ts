import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import type { Database } from '#api/foundation/db/schema.ts';

/** The archive of each release, in pieces. They go with the release, also where a server of the previous release removes it. */
export const releasePieces: Migration = {
  async up(db: Kysely<Database>) {
    await sql
      .raw(
        `CREATE TABLE release_piece (
          unit TEXT NOT NULL,
          version TEXT NOT NULL,
          position INTEGER NOT NULL,
          content ${isSqlite(db) ? 'BLOB' : 'BYTEA'} NOT NULL,
          PRIMARY KEY (unit, version, position),
          FOREIGN KEY (unit, version) REFERENCES "release"(unit, version) ON DELETE CASCADE
        )`,
      )
      .execute(db);
  },
};
