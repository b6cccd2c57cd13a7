import { sql } from 'kysely';
import type { Db } from '#api/foundation/db/schema.ts';
import type { ExpiryTimes } from '#api/product/key-system/sweep-runs.ts';

/** Finds the runs in which `expireRun` has something to end. */
export function createExpiryRepository(db: Db) {
  return {
    /** The ids of at most `limit` runs that have expired, or have expired attempts or abandoned checks. */
    async listStale({ at, claimedBefore }: ExpiryTimes, limit: number): Promise<string[]> {
      const attempts = db.selectFrom('stepAttempt').select('runId').limit(limit);
      // Literals and not parameters: otherwise the databases do not use the partial indexes.
      const found = await Promise.all([
        db
          .selectFrom('run')
          .select('id as runId')
          .where('state', '=', sql.lit('open'))
          .where('expiresAt', '<=', at)
          .limit(limit)
          .execute(),
        // What is confirmed does not expire: it is credited first.
        attempts
          .where('state', '=', sql.lit('issued'))
          .where('expiresAt', '<=', at)
          .where('postbackAt', 'is', null)
          .where('proofAt', 'is', null)
          .execute(),
        attempts
          .where('state', '=', sql.lit('awaiting_postback'))
          .where('expiresAt', '<=', at)
          .where('postbackAt', 'is', null)
          .execute(),
        attempts.where('state', '=', sql.lit('checking')).where('returnedAt', '<=', claimedBefore).execute(),
      ]);

      return [...new Set(found.flat().map(({ runId }) => runId))].slice(0, limit);
    },

    /** The ids of runs with an unfinished check that a server of this name began. */
    async listHeldBy(instance: string): Promise<string[]> {
      const held = await db
        .selectFrom('stepAttempt')
        .select('runId')
        .distinct()
        .where('state', '=', sql.lit('checking'))
        .where('claimedBy', '=', instance)
        .execute();
      return held.map(({ runId }) => runId);
    },
  };
}
