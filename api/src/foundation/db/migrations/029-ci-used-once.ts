import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** The ID tokens that were used, and what tells a trusted repository from a later one with its name. */
const STATEMENTS = [
  `CREATE TABLE used_id_token (
    issuer TEXT NOT NULL,
    jti TEXT NOT NULL,
    ends_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, jti)
  )`,
  'ALTER TABLE trusted_ci ADD COLUMN repository_id TEXT',
  'ALTER TABLE trusted_ci ADD COLUMN owner_id TEXT',
];

export const ciUsedOnce: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
