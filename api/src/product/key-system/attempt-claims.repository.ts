import type { ErrorCode } from '@app/contracts/errors';
import type { ExpressionBuilder } from 'kysely';
import type { AttemptRow, Database, Db } from '#api/foundation/db/schema.ts';
import { ATTEMPT_MOVES, type AttemptMove } from './run-lifecycle.ts';

export const NOBODY_ANSWERED: ErrorCode = 'KS_PROVIDER_DOWN';

/** Which claim of which attempt. */
export type AttemptClaim = Pick<AttemptRow, 'id' | 'claimedBy' | 'returnedAt'>;

/** Makes the function that starts an update which makes one move of the lifecycle. */
export function createAttemptMoves(db: Db) {
  return (name: AttemptMove) => {
    const { from, to } = ATTEMPT_MOVES[name];
    return db.updateTable('stepAttempt').set({ state: to }).where('state', 'in', from);
  };
}

/** Statements about claims: a claimed attempt is checked by one request of one server. */
export function createAttemptClaims(db: Db) {
  const change = createAttemptMoves(db);

  const startClaim = (tokenHash: string, claimedBy: string, at: number) =>
    change('claim').set({ returnedAt: at, claimedBy }).where('tokenHash', '=', tokenHash);

  return {
    /**
     * Claims a ticket to check its proof. It is one statement, so of several requests with the same ticket only one
     * gets it.
     * @param claimedBy the name of this server
     * @returns undefined when the ticket cannot be claimed
     */
    claim(tokenHash: string, claimedBy: string, at: number): Promise<AttemptRow | undefined> {
      const claim = startClaim(tokenHash, claimedBy, at);
      return claim.where('notBefore', '<=', at).where('expiresAt', '>', at).returningAll().executeTakeFirst();
    },

    /**
     * Claims a ticket before its `notBefore`, because its proof may live for seconds only. Not again once a proof is
     * held.
     */
    claimEarly(tokenHash: string, claimedBy: string, at: number): Promise<AttemptRow | undefined> {
      const claim = startClaim(tokenHash, claimedBy, at);
      return claim.where('notBefore', '>', at).where('proofAt', 'is', null).returningAll().executeTakeFirst();
    },

    /**
     * Undoes a claim of which nobody knows whether it was written. A later one, by another server or later, stays. It
     * writes in any case, so it waits for a claim that is not committed yet.
     */
    async undoClaim(id: string, claimedBy: string, at: number): Promise<void> {
      const { from, to } = ATTEMPT_MOVES.release;
      await db
        .updateTable('stepAttempt')
        .set((is) => ({
          state: is
            .case()
            .when(is.and([is('state', 'in', from), is('claimedBy', '=', claimedBy), is('returnedAt', '=', at)]))
            .then(to)
            .else(is.ref('state'))
            .end(),
        }))
        .where('id', '=', id)
        .execute();
    },

    /** Makes a ticket usable again when the advertiser did not answer its check. Ends this claim and no later one. */
    async release(claim: AttemptClaim): Promise<void> {
      await change('release').where(isOf(claim)).execute();
    },

    /** Ends a claimed attempt when the advertiser did not answer, and asking may have used the proof up. */
    async giveUp(claim: AttemptClaim): Promise<void> {
      await change('giveUp').set({ reason: NOBODY_ANSWERED }).where(isOf(claim)).execute();
    },

    /** Ends a claimed attempt whose run had ended before the visitor came back. */
    async giveUpWithRun(claim: AttemptClaim): Promise<void> {
      await change('giveUp').where(isOf(claim)).execute();
    },

    /**
     * Ends the checks of a run that no process works on any more. The ticket becomes usable again, unless asking may
     * have used the proof up: a token counts only once. A token that is confirmed and held is not asked for again.
     * @param claimedBefore checks that began before this have no process any more, epoch milliseconds
     * @param claimedBy the name of a server whose process is dead: all of its checks end
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

/** Finds an attempt while it has this claim. */
function isOf({ id, claimedBy, returnedAt }: AttemptClaim) {
  return (is: ExpressionBuilder<Database, 'stepAttempt'>) => is.and({ id, claimedBy, returnedAt });
}
