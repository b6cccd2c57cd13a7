import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/**
 * The HMAC of an owner's mailbox, in one spelling of its address. Servers of the previous release know `email_hmac` alone, the HMAC of
 * the address in lower case.
 */
const STATEMENTS = [
  `ALTER TABLE licence ADD COLUMN mailbox_hmac TEXT`,
  `CREATE INDEX licence_mailbox ON licence(mailbox_hmac)`,
  `CREATE INDEX licence_without_mailbox ON licence(id) WHERE mailbox_hmac IS NULL AND email_hmac IS NOT NULL`,
];

export const mailboxes: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
