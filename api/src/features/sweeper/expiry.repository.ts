import type { ErrorCode } from '@app/contracts/errors';
import { sql } from 'kysely';
import type { Db } from '#api/db/schema.ts';

/** The moments that decide what is over. */
export interface Moment {
  at: number;
  /** A check that began before this has no process any more that could end it. */
  claimedBefore: number;
  /** The server that has just started: what it claimed, it claimed before it died. */
  startedAs?: string;
}

export type ExpiryRepository = ReturnType<typeof createExpiryRepository>;

/** Writes down what is over. Every guard looks at the clock itself, so nothing waits for this to happen. */
export function createExpiryRepository(db: Db) {
  return {
    /** Runs that are over themselves or have attempts that are, no more than the limit. */
    async listStale({ at, claimedBefore }: Moment, limit: number): Promise<string[]> {
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

    /** Ends what is over of one run. Nobody is blamed for it. */
    settle(runId: string, moment: Moment): Promise<void> {
      return db.transaction().execute((trx) => settleRun(trx, runId, moment));
    },
  };
}

async function settleRun(trx: Db, runId: string, moment: Moment): Promise<void> {
  const { at } = moment;
  // The run's row is taken first, as everywhere: so two transactions never deadlock.
  await trx
    .updateTable('run')
    .set((run) => ({ updatedAt: run.ref('updatedAt') }))
    .where('id', '=', runId)
    .execute();
  await trx
    .updateTable('run')
    .set({ state: 'expired', updatedAt: at })
    .where('id', '=', runId)
    .where('state', '=', 'open')
    .where('expiresAt', '<=', at)
    .execute();

  await endChecks(trx, runId, moment);
  await trx
    .updateTable('stepAttempt')
    .set({ state: 'expired' })
    .where('runId', '=', runId)
    .where('state', 'in', ['issued', 'awaiting_postback'])
    .where('expiresAt', '<=', at)
    .execute();
}

/**
 * A check that never ended gives its ticket back, unless asking may have used the proof up: a token counts only once.
 * A token that was confirmed and held is not asked for again.
 */
async function endChecks(trx: Db, runId: string, { claimedBefore, startedAs }: Moment): Promise<void> {
  const oneTime = trx.selectFrom('advertiser').select('id').where('proof', '=', 'token');
  const stuck = trx
    .updateTable('stepAttempt')
    .where('runId', '=', runId)
    .where('state', '=', 'checking')
    .where((is) =>
      is.or([
        is('returnedAt', '<=', claimedBefore),
        ...(startedAs === undefined ? [] : [is('claimedBy', '=', startedAs)]),
      ]),
    );

  await stuck
    .set({ state: 'expired', reason: 'KS_PROVIDER_DOWN' satisfies ErrorCode })
    .where('proofAt', 'is', null)
    .where('advertiserId', 'in', oneTime)
    .execute();
  await stuck.set({ state: 'issued' }).execute();
}
