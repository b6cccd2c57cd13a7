import { sql, type Kysely, type Migration } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * A run's zone can change, so pages have to be told it: it is kept sealed, as the device is. A device may have a run
 * for each browser that began one. An attempt under check says which server checks it.
 */
const STATEMENTS = [
  `ALTER TABLE run ADD COLUMN sealed_zone TEXT`,
  `DROP INDEX run_one_open`,
  `CREATE UNIQUE INDEX run_one_open_of_browser ON run(device_id, visitor_hmac) WHERE state='open'`,
  `ALTER TABLE step_attempt ADD COLUMN claimed_by TEXT`,
];

export const zonesAndClaims: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
