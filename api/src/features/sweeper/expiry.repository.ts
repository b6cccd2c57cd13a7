import { sql } from 'kysely';
import type { Db } from '#api/db/schema.ts';
import type { ExpiryMoment } from '#api/features/key-system/expire-run.ts';

export type ExpiryRepository = ReturnType<typeof createExpiryRepository>;

/** Finds the runs that `expireRun` has something to do with. */
export function createExpiryRepository(db: Db) {
  return {
    /** Runs that are over themselves or have attempts that are, no more than the limit. */
    async listStale({ at, claimedBefore }: ExpiryMoment, limit: number): Promise<string[]> {
      const attempts = db.selectFrom('stepAttempt').select('runId').limit(limit);
      // Literals, not parameters: only so do the databases recognise the partial indexes.
      const found = await Promise.all([
        db
          .selectFrom('run')
          .select('id as runId')
          .where('state', '=', sql.lit('open'))
          .where('expiresAt', '<=', at)
          .limit(limit)
          .execute(),
        attempts.where('state', '=', sql.lit('issued')).where('expiresAt', '<=', at).execute(),
        attempts.where('state', '=', sql.lit('awaiting_postback')).where('expiresAt', '<=', at).execute(),
        attempts.where('state', '=', sql.lit('checking')).where('returnedAt', '<=', claimedBefore).execute(),
      ]);

      return [...new Set(found.flat().map(({ runId }) => runId))].slice(0, limit);
    },

    /** Runs with a check that a server of that name began and has not ended. */
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
