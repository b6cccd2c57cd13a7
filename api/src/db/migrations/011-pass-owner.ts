import { sql, type Kysely, type Migration } from 'kysely';
import type { Database } from '../schema.ts';

/** Who solved a captcha: without that anybody who knows a device id could use up the passes of its owner. */
export const passOwner: Migration = {
  async up(db: Kysely<Database>) {
    await sql`ALTER TABLE captcha_pass ADD COLUMN visitor_hmac TEXT`.execute(db);
    await sql`ALTER TABLE captcha_pass ADD COLUMN ip_hmac TEXT`.execute(db);
  },
};
