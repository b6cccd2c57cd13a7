import { sql, type Kysely, type Migration } from 'kysely';
import type { Database } from '../schema.ts';

/**
 * What a device's standing is judged by: strikes, runs of a visitor or a network, proofs held until their time.
 * Every question that a request asks of a growing table has its index.
 */
const STATEMENTS = [
  `ALTER TABLE strike ADD COLUMN weight INTEGER NOT NULL DEFAULT 1`,
  `ALTER TABLE step_attempt ADD COLUMN proof_at BIGINT`,
  `CREATE INDEX strike_device ON strike(device_id, at)`,
  `CREATE INDEX run_device ON run(device_id, created_at)`,
  `CREATE INDEX run_network ON run(ip_hmac, created_at)`,
  `CREATE INDEX attempt_run ON step_attempt(run_id, step)`,
  `CREATE INDEX key_device ON access_key(device_id, issued_at)`,
  `CREATE INDEX captcha_pass_device ON captcha_pass(hwid_hmac, expires_at)`,
];

export const standing: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
