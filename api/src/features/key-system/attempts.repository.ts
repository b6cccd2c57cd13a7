import type { ErrorCode } from '@app/contracts/errors';
import type { Kysely } from 'kysely';
import type { AttemptRow, Database, RunRow } from '#api/db/schema.ts';
import { issueAttempt, type NewAttempt } from './issue-attempt.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { rejectAttempt, type Refusal } from './reject-attempt.ts';

export type AttemptsRepository = ReturnType<typeof createAttemptsRepository>;

/** @param instance the name of this server, under which it claims */
export function createAttemptsRepository(
  db: Kysely<Database>,
  limits: Limits = DEFAULT_LIMITS,
  instance: string | null = null,
) {
  return {
    /**
     * Adds an attempt at the run's step, as long as the run still stands there and has tries left this hour.
     * The oldest live attempts of the step give way.
     */
    issue(run: RunRow, attempt: NewAttempt): ReturnType<typeof issueAttempt> {
      return db.transaction().execute((trx) => issueAttempt(trx, run, attempt, limits));
    },

    find(tokenHash: string): Promise<AttemptRow | undefined> {
      return db.selectFrom('stepAttempt').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
    },

    findById(id: string): Promise<AttemptRow | undefined> {
      return db.selectFrom('stepAttempt').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** Takes a ticket to check its proof. One statement, so only one of its bearers gets it. */
    claim(tokenHash: string, at: number): Promise<AttemptRow | undefined> {
      return db
        .updateTable('stepAttempt')
        .set({ state: 'checking', returnedAt: at, claimedBy: instance })
        .where('tokenHash', '=', tokenHash)
        .where('state', '=', 'issued')
        .where('notBefore', '<=', at)
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst();
    },

    /** Takes a ticket whose time has not come, to ask for its proof while the proof lives. Once for each attempt. */
    claimEarly(tokenHash: string, at: number): Promise<AttemptRow | undefined> {
      return db
        .updateTable('stepAttempt')
        .set({ state: 'checking', returnedAt: at, claimedBy: instance })
        .where('tokenHash', '=', tokenHash)
        .where('state', '=', 'issued')
        .where('notBefore', '>', at)
        .where('proofAt', 'is', null)
        .returningAll()
        .executeTakeFirst();
    },

    /**
     * Keeps a confirmed proof with its attempt until the attempt's time has come.
     * @throws a unique violation when the proof was spent before
     */
    async hold(id: string, providerRef: string | null, at: number): Promise<void> {
      await db
        .updateTable('stepAttempt')
        .set({ state: 'issued', proofAt: at, providerRef })
        .where('id', '=', id)
        .where('state', '=', 'checking')
        .execute();
    },

    /** Turns an attempt down, with the strike that comes with it. Whoever comes second finds it turned down already. */
    reject(attempt: AttemptRow, refusal: Refusal): Promise<boolean> {
      return db.transaction().execute((trx) => rejectAttempt(trx, attempt, refusal));
    },

    /** Gives a ticket back after a check that nobody answered; it ends here when its proof may be used up. */
    async release(id: string, proofSpent: boolean): Promise<void> {
      await leaveChecking(db, id, proofSpent ? { state: 'expired', reason: 'KS_PROVIDER_DOWN' } : { state: 'issued' });
    },

    /** Ends a claimed attempt whose run was over before it came back. */
    async expire(id: string): Promise<void> {
      await leaveChecking(db, id, { state: 'expired' });
    },

    /** Ends an attempt whose link never reached the visitor. */
    async withdraw(id: string): Promise<void> {
      await db
        .updateTable('stepAttempt')
        .set({ state: 'expired', reason: 'KS_PROVIDER_DOWN' satisfies ErrorCode })
        .where('id', '=', id)
        .where('state', '=', 'issued')
        .execute();
    },

    /** Lets a claimed attempt wait for the advertiser's call; false when the call came in between. */
    async awaitPostback(id: string): Promise<boolean> {
      const waiting = await db
        .updateTable('stepAttempt')
        .set({ state: 'awaiting_postback' })
        .where('id', '=', id)
        .where('state', '=', 'checking')
        .where('postbackAt', 'is', null)
        .returning('id')
        .executeTakeFirst();

      return waiting !== undefined;
    },

    /**
     * Notes the advertiser's call, once for each attempt.
     * @throws a unique violation when the same call was counted for another attempt
     */
    notePostback(id: string, providerRef: string, at: number): Promise<AttemptRow | undefined> {
      return db
        .updateTable('stepAttempt')
        .set({ postbackAt: at, providerRef })
        .where('id', '=', id)
        .where('state', 'in', ['issued', 'checking', 'awaiting_postback'])
        .where('postbackAt', 'is', null)
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst();
    },

    /** Every attempt of a run, the newest first. */
    listOfRun(runId: string): Promise<AttemptRow[]> {
      return db.selectFrom('stepAttempt').selectAll().where('runId', '=', runId).orderBy('issuedAt', 'desc').execute();
    },

    listVerified(runId: string): Promise<AttemptRow[]> {
      return db
        .selectFrom('stepAttempt')
        .selectAll()
        .where('runId', '=', runId)
        .where('state', '=', 'verified')
        .orderBy('step')
        .execute();
    },

    async isWaiting({ id, step }: RunRow, at: number): Promise<boolean> {
      const waiting = await db
        .selectFrom('stepAttempt')
        .select('id')
        .where('runId', '=', id)
        .where('step', '=', step)
        .where('state', '=', 'awaiting_postback')
        .where('expiresAt', '>', at)
        .executeTakeFirst();

      return waiting !== undefined;
    },
  };
}

async function leaveChecking(
  db: Kysely<Database>,
  id: string,
  change: { state: 'expired' | 'issued'; reason?: ErrorCode },
): Promise<void> {
  await db.updateTable('stepAttempt').set(change).where('id', '=', id).where('state', '=', 'checking').execute();
}
