import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import type { Database } from '#api/foundation/db/schema.ts';

/** Events wait here until a server seals them into the chain, so that no change waits for the chain's head. */
export const sealedAudit: Migration = {
  async up(db: Kysely<Database>) {
    const id = isSqlite(db) ? 'INTEGER PRIMARY KEY' : 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY';
    await sql
      .raw(
        `CREATE TABLE audit_unsealed (
          id ${id},
          at BIGINT NOT NULL,
          kind TEXT NOT NULL,
          code TEXT NOT NULL,
          subject TEXT,
          detail TEXT NOT NULL
        )`,
      )
      .execute(db);
  },
};
