import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/**
 * The head of the audit's chain is one row, which every writer has to lock. An anchor also says with which row the
 * chain began.
 */
const STATEMENTS = [
  `CREATE TABLE audit_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL
  )`,
  `ALTER TABLE audit_anchor ADD COLUMN first_seq BIGINT NOT NULL DEFAULT 1`,
];

export const auditHead: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
