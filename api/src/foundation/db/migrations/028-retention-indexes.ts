import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** Indexes by which the sweeper finds what is old, and the database what still refers to it. */
const STATEMENTS = [
  `CREATE INDEX device_age ON device(last_seen)`,
  `CREATE INDEX licence_age ON licence(created_at)`,
  `CREATE INDEX payment_age ON payment(told_at)`,
  `CREATE INDEX licence_device_of ON licence_device(device_id)`,
];

export const retentionIndexes: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
