import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** Since when the circuit of an advertiser is open, for operators to see. */
export const failingAdvertisers: Migration = {
  async up(db: Kysely<Database>) {
    await sql`ALTER TABLE advertiser ADD COLUMN failing_since BIGINT`.execute(db);
  },
};
