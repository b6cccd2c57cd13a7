import { sql, type Kysely, type Migration } from 'kysely';
import type { Database } from '../schema.ts';

/** The end of the audit's chain, in one row that every writer has to take; and where the chain began when it was anchored. */
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
