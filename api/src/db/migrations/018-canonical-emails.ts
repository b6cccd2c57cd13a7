import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../schema.ts';

/** Which licences have the HMAC of their address's one spelling. Those of before have that of its lower case. */
const STATEMENTS = [
  `ALTER TABLE licence ADD COLUMN email_is_canonical INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX licence_email_as_typed ON licence(id) WHERE email_is_canonical = 0`,
];

export const canonicalEmails: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
