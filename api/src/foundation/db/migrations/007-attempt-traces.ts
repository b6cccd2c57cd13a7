import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** The browser that asked for an attempt, so that a stranger cannot use up the tries of a device's owner. */
export const attemptTraces: Migration = {
  async up(db: Kysely<Database>) {
    await sql`ALTER TABLE step_attempt ADD COLUMN visitor_hmac TEXT`.execute(db);
  },
};
