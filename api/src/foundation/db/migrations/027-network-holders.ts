import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** Who holds a network from which a release was reported: all networks of one holder count as few. */
export const networkHolders: Migration = {
  async up(db: Kysely<Database>) {
    await sql`ALTER TABLE load_report ADD COLUMN holder_hmac TEXT`.execute(db);
  },
};
