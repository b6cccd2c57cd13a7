import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/**
 * An index for the attempts that the sweeper credits: an advertiser has confirmed them, and no visitor has come back
 * since.
 */
export const confirmedAttempts: Migration = {
  async up(db: Kysely<Database>) {
    await sql`CREATE INDEX attempt_confirmed ON step_attempt(not_before)
      WHERE state IN ('issued', 'awaiting_postback') AND COALESCE(postback_at, proof_at) IS NOT NULL`.execute(db);
  },
};
