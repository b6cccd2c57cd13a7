import { sql, type Kysely, type Migration } from 'kysely';
import type { Database } from '../schema.ts';

/** By what a server sees that its pepper is the one that the database was filled under. */
export const pepperCheck: Migration = {
  async up(db: Kysely<Database>) {
    await sql`CREATE TABLE pepper_check (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)`.execute(db);
  },
};
