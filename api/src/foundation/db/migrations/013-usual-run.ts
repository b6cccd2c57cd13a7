import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** How long a run of an app usually takes, and the index by which the newest completed runs are found. */
const STATEMENTS = [
  `ALTER TABLE app ADD COLUMN usual_run_ms BIGINT`,
  `CREATE INDEX run_completed ON run(app_id, completed_at) WHERE state='completed'`,
];

export const usualRun: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
