import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/**
 * The browser and the network that solved a captcha. Otherwise a stranger who knows a device id could use up its owner's
 * passes.
 */
export const passOwner: Migration = {
  async up(db: Kysely<Database>) {
    await sql`ALTER TABLE captcha_pass ADD COLUMN visitor_hmac TEXT`.execute(db);
    await sql`ALTER TABLE captcha_pass ADD COLUMN ip_hmac TEXT`.execute(db);
  },
};
