import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** A value by which a server sees whether its pepper is the one that this database was made with. */
export const pepperCheck: Migration = {
  async up(db: Kysely<Database>) {
    await sql`CREATE TABLE pepper_check (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)`.execute(db);
  },
};
