import type { ErrorCode } from '@app/contracts/errors';
import { sql, type ExpressionBuilder } from 'kysely';
import { insteadOfDuplicate } from '#api/db/unique-violation.ts';
import type { AttemptRow, Database, Db, NewAttempt } from '#api/db/schema.ts';
import { ATTEMPT_MOVES, CONFIRMABLE, LIVE, type AttemptMove } from './run-lifecycle.ts';

const NOBODY_ANSWERED: ErrorCode = 'KS_PROVIDER_DOWN';

/**
 * What came of writing a proof down: `reused` when the same proof stands with another attempt, `ended` when the attempt
 * no longer waits for one. After `reused` a transaction can only be undone: PostgreSQL takes no further statement.
 */
export type ProofWrite = 'written' | 'ended' | 'reused';

/** An attempt, as a limit looks back on it. */
export type RecentAttempt = Pick<AttemptRow, 'id' | 'step' | 'state' | 'expiresAt' | 'visitorHmac' | 'ipHmac'> & {
  /** Epoch milliseconds. */
  at: number;
};

export type AttemptsRepository = ReturnType<typeof createAttemptsRepository>;

/** Statements about the table of attempts. Where one finds no attempt in the state that it needs, it changes nothing. */
export function createAttemptsRepository(db: Db) {
  /** A change of state, for attempts that may make it. */
  function change(name: AttemptMove) {
    const { from, to } = ATTEMPT_MOVES[name];
    return db.updateTable('stepAttempt').set({ state: to }).where('state', 'in', from);
  }

  return {
    find(tokenHash: string): Promise<AttemptRow | undefined> {
      return db.selectFrom('stepAttempt').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
    },

    findById(id: string): Promise<AttemptRow | undefined> {
      return db.selectFrom('stepAttempt').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** Every attempt of a run, the newest first. */
    listOfRun(runId: string): Promise<AttemptRow[]> {
      return db.selectFrom('stepAttempt').selectAll().where('runId', '=', runId).orderBy('issuedAt', 'desc').execute();
    },

    /** A run's attempts that were issued after a moment, the newest first. */
    listRecent(runId: string, since: number): Promise<RecentAttempt[]> {
      return db
        .selectFrom('stepAttempt')
        .select(['id', 'step', 'state', 'expiresAt', 'visitorHmac', 'ipHmac', 'issuedAt as at'])
        .where('runId', '=', runId)
        .where('issuedAt', '>', since)
        .orderBy('issuedAt', 'desc')
        .execute();
    },

    /** Attempts that an advertiser has confirmed and that nobody is back with, since their time came; the oldest first. */
    listConfirmed(at: number, limit: number): Promise<AttemptRow[]> {
      // Literals, not parameters: only so do the databases recognise the partial index.
      return db
        .selectFrom('stepAttempt')
        .selectAll()
        .where(
          'state',
          'in',
          LIVE.map((state) => sql.lit(state)),
        )
        .where(confirmedAt, 'is not', null)
        .where('notBefore', '<=', at)
        .orderBy('notBefore')
        .limit(limit)
        .execute();
    },

    async insert(attempt: NewAttempt): Promise<void> {
      await db.insertInto('stepAttempt').values(attempt).execute();
    },

    /**
     * Takes a ticket to check its proof. One statement, so only one of its bearers gets it.
     * @param claimedBy the name of this server
     */
    claim(tokenHash: string, claimedBy: string, at: number): Promise<AttemptRow | undefined> {
      return change('claim')
        .set({ returnedAt: at, claimedBy })
        .where('tokenHash', '=', tokenHash)
        .where('notBefore', '<=', at)
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst();
    },

    /** Takes a ticket whose time has not come, to ask for its proof while the proof lives. Once for each attempt. */
    claimEarly(tokenHash: string, claimedBy: string, at: number): Promise<AttemptRow | undefined> {
      return change('claim')
        .set({ returnedAt: at, claimedBy })
        .where('tokenHash', '=', tokenHash)
        .where('notBefore', '>', at)
        .where('proofAt', 'is', null)
        .returningAll()
        .executeTakeFirst();
    },

    /** Keeps a confirmed proof with its attempt until the attempt's time has come. */
    keepProof(id: string, providerRef: string | null, at: number): Promise<ProofWrite> {
      return writeProof(change('keepProof').set({ proofAt: at, providerRef }).where('id', '=', id).returning('id'));
    },

    /** Credits an attempt with its proof. */
    verify(id: string, providerRef: string | null, at: number): Promise<ProofWrite> {
      return writeProof(change('verify').set({ verifiedAt: at, providerRef }).where('id', '=', id).returning('id'));
    },

    /** Uses up a proof that came too late to count. */
    spend(id: string, providerRef: string | null): Promise<ProofWrite> {
      return writeProof(change('spend').set({ providerRef }).where('id', '=', id).returning('id'));
    },

    /**
     * Notes the advertiser's call, once for each attempt.
     * @returns undefined also when the same call was counted for another attempt
     */
    notePostback(id: string, providerRef: string, at: number): Promise<AttemptRow | undefined> {
      return insteadOfDuplicate(
        db
          .updateTable('stepAttempt')
          .set({ postbackAt: at, providerRef })
          .where('id', '=', id)
          .where('state', 'in', CONFIRMABLE)
          .where('postbackAt', 'is', null)
          .where('expiresAt', '>', at)
          .returningAll()
          .executeTakeFirst(),
        undefined,
      );
    },

    /** Lets a claimed attempt wait for the advertiser's call; false when the call came in between. */
    async awaitPostback(id: string): Promise<boolean> {
      const waiting = await change('awaitPostback')
        .where('id', '=', id)
        .where('postbackAt', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return waiting !== undefined;
    },

    /** Turns an attempt down: a claimed one, or one that came back too early and so was never claimed. */
    async reject(id: string, reason: ErrorCode, at: number): Promise<boolean> {
      const rejected = await change(reason === 'KS_FAST' ? 'rejectEarly' : 'reject')
        .set({ reason, returnedAt: at })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return rejected !== undefined;
    },

    /** Gives a ticket back after a check that nobody answered. */
    async release(id: string): Promise<void> {
      await change('release').where('id', '=', id).execute();
    },

    /** Ends a claimed attempt whose check nobody answered, and whose proof may be used up. */
    async giveUp(id: string): Promise<void> {
      await change('giveUp').set({ reason: NOBODY_ANSWERED }).where('id', '=', id).execute();
    },

    /** Ends a claimed attempt whose run was over before it came back. */
    async giveUpWithRun(id: string): Promise<void> {
      await change('giveUp').where('id', '=', id).execute();
    },

    /** Ends an attempt whose link never reached the visitor. */
    async withdraw(id: string): Promise<void> {
      await change('withdraw').set({ reason: NOBODY_ANSWERED }).where('id', '=', id).execute();
    },

    /** Ends attempts that make room for a newer one. One that was confirmed stays, and counts when its time has come. */
    async supersede(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await change('supersede').where('id', 'in', ids).where(confirmedAt, 'is', null).execute();
    },

    /** Ends the open attempts at a step that is credited. */
    async supersedeAt(runId: string, step: number): Promise<void> {
      await change('supersede').where('runId', '=', runId).where('step', '=', step).execute();
    },

    /** Ends a run's attempts whose time is over. */
    async expireOfRun(runId: string, at: number): Promise<void> {
      await change('expire').where('runId', '=', runId).where('expiresAt', '<=', at).execute();
    },

    /**
     * Ends the checks of a run that nobody works at any more. The ticket can be used again, unless asking may have used
     * the proof up: a token counts only once. A token that was confirmed and kept is not asked for again.
     * @param claimedBefore a check that began before this has no process any more, epoch milliseconds
     * @param claimedBy a server whose process is dead: all of its checks
     */
    async endChecks(runId: string, claimedBefore: number, claimedBy: string | undefined): Promise<void> {
      const tokens = db.selectFrom('advertiser').select('id').where('proof', '=', 'token');
      const left = (name: 'giveUp' | 'release') =>
        change(name)
          .where('runId', '=', runId)
          .where((is) => is.or([is('returnedAt', '<=', claimedBefore), is('claimedBy', '=', claimedBy ?? null)]));

      await left('giveUp')
        .set({ reason: NOBODY_ANSWERED })
        .where('proofAt', 'is', null)
        .where('advertiserId', 'in', tokens)
        .execute();
      await left('release').execute();
    },
  };
}

/** When an advertiser confirmed an attempt that could not be credited at that moment. */
function confirmedAt({ fn }: ExpressionBuilder<Database, 'stepAttempt'>) {
  return fn.coalesce('postbackAt', 'proofAt');
}

/** A proof counts once: the table holds each name of one no more than one time. */
async function writeProof(statement: { executeTakeFirst: () => Promise<object | undefined> }): Promise<ProofWrite> {
  const row = await insteadOfDuplicate(statement.executeTakeFirst(), 'reused');
  if (row === 'reused') return row;

  return row ? 'written' : 'ended';
}
