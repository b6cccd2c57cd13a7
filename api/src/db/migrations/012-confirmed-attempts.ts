import { sql, type Kysely, type Migration } from 'kysely';
import type { Database } from '../schema.ts';

/** Which attempts the sweeper credits: the advertiser has confirmed them, and nobody has come back since. */
export const confirmedAttempts: Migration = {
  async up(db: Kysely<Database>) {
    await sql`CREATE INDEX attempt_confirmed ON step_attempt(not_before)
      WHERE state IN ('issued', 'awaiting_postback') AND COALESCE(postback_at, proof_at) IS NOT NULL`.execute(db);
  },
};
