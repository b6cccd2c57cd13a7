import type { ErrorCode } from '@app/contracts/errors';
import { type ExpressionBuilder, sql } from 'kysely';
import { executeRelaxed, isSqlite, isUniqueViolation, writesRow } from '#api/foundation/db/dialect.ts';
import { prepare } from '#api/foundation/db/prepare.ts';
import type { AttemptRow, Database, Db, NewAttempt, RunRow, StrikeRow } from '#api/foundation/db/schema.ts';
import { ATTEMPT_TRANSITIONS, type AttemptTransition, CONFIRMABLE_STATES, LIVE_STATES } from './run-lifecycle.ts';
import type { CompletedRun } from './runs.repository.ts';

/**
 * What came of storing a proof. `reused`: another attempt has the same proof. `ended`: the attempt no longer waits for
 * a proof. After `reused` the transaction has to be rolled back, because PostgreSQL takes no further statement in it.
 */
export type ProofWrite = 'written' | 'ended' | 'reused';

/** The reason of an attempt whose advertiser did not answer. */
const PROVIDER_DOWN: ErrorCode = 'KS_PROVIDER_DOWN';

/** The states in which these moves begin, for SQL that is written out. */
const [VERIFIABLE, SUPERSEDABLE] = [ATTEMPT_TRANSITIONS.verify, ATTEMPT_TRANSITIONS.supersede].map(({ from }) =>
  sql.raw(from.map((state) => `'${state}'`).join(', ')),
);

export type AttemptClaim = Pick<AttemptRow, 'id' | 'claimedBy' | 'returnedAt'>;

/** The part of an attempt that a limit counts. */
export type RecentAttempt = Pick<AttemptRow, 'id' | 'step' | 'state' | 'expiresAt' | 'visitorHmac' | 'ipHmac'> & {
  at: number;
};

export type EndedAttempt = Pick<AttemptRow, 'advertiserId' | 'step' | 'state' | 'ipHmac'> & Pick<RunRow, 'deviceId'>;

const findTicket = prepare((db, { tokenHash }: Pick<AttemptRow, 'tokenHash'>) => {
  const object = sql.raw(isSqlite(db) ? 'json_object' : 'json_build_object');
  return sql<AttemptRow & { run: string | RunRow }>`
    SELECT step_attempt.*, ${object}('id', run.id, 'appId', run.app_id, 'deviceId', run.device_id,
        'zoneHmac', run.zone_hmac, 'sealedSubject', run.sealed_subject, 'sealedZone', run.sealed_zone, 'os', run.os,
        'stepsRequired', run.steps_required, 'visitorHmac', run.visitor_hmac, 'ipHmac', run.ip_hmac,
        'step', run.step, 'state', run.state, 'createdAt', run.created_at, 'updatedAt', run.updated_at,
        'expiresAt', run.expires_at, 'completedAt', run.completed_at) AS run
    FROM step_attempt JOIN run ON run.id = step_attempt.run_id
    WHERE step_attempt.token_hash = ${tokenHash}`;
});

/** Verifies an attempt, and ends the other open attempts at its step. */
const verifyAttempt = prepare(
  (
    _db,
    {
      id,
      runId,
      step,
      providerRef,
      at,
      returnedAt,
    }: Pick<AttemptRow, 'id' | 'runId' | 'step' | 'providerRef' | 'returnedAt'> & { at: number },
  ) => {
    const isIt = sql`CASE WHEN id = ${id}`;
    return sql<{ id: string }>`
      UPDATE step_attempt SET state = ${isIt} THEN 'verified' ELSE 'superseded' END,
        verified_at = ${isIt} THEN ${at} ELSE verified_at END,
        provider_ref = ${isIt} THEN ${providerRef} ELSE provider_ref END,
        returned_at = ${isIt} THEN coalesce(${returnedAt}, returned_at) ELSE returned_at END
      WHERE run_id = ${runId} AND step = ${step}
        AND (id = ${id} AND state IN (${VERIFIABLE}) OR id <> ${id} AND state IN (${SUPERSEDABLE}))
      RETURNING id`;
  },
);

const listRecentAttempts = prepare((db, { runId, since }: { runId: string; since: number }) =>
  db
    .selectFrom('stepAttempt')
    .select(['id', 'step', 'state', 'expiresAt', 'visitorHmac', 'ipHmac', 'issuedAt as at'])
    .where('runId', '=', runId)
    .where('issuedAt', '>', since)
    .orderBy('issuedAt', 'desc'),
);

const insertAttempt = prepare((db, attempt: NewAttempt) => db.insertInto('stepAttempt').values(attempt));

export function createAttemptsRepository(db: Db) {
  function change(name: AttemptTransition) {
    const { from, to } = ATTEMPT_TRANSITIONS[name];
    return db.updateTable('stepAttempt').set({ state: to }).where('state', 'in', from);
  }

  const startClaim = (tokenHash: string, claimedBy: string, at: number) =>
    change('claim').set({ returnedAt: at, claimedBy }).where('tokenHash', '=', tokenHash);

  return {
    async findByTicket(tokenHash: string): Promise<{ attempt: AttemptRow; run: RunRow } | undefined> {
      const [found] = await findTicket(db, { tokenHash });
      if (!found) return undefined;

      const { run, ...attempt } = found;
      return { attempt, run: typeof run === 'string' ? (JSON.parse(run) as RunRow) : run };
    },

    /** The newest visits that were credited, and how long each took. */
    listCredited(since: number, limit: number): Promise<(CompletedRun & Pick<AttemptRow, 'advertiserId'>)[]> {
      return db
        .selectFrom('stepAttempt')
        .innerJoin('run', 'run.id', 'stepAttempt.runId')
        .select([
          'advertiserId',
          'run.deviceId',
          'stepAttempt.ipHmac',
          sql<number>`returned_at - issued_at`.as('tookMs'),
        ])
        .where('stepAttempt.state', '=', 'verified')
        .where('returnedAt', 'is not', null)
        .where('issuedAt', '>=', since)
        .orderBy('issuedAt', 'desc')
        .limit(limit)
        .execute();
    },

    /**
     * The newest attempts since a time that have come to an end. Not those that another one replaced before their visitor
     * was back, and those whose advertiser gave no link: nobody left.
     */
    listEnded(since: number, at: number, limit: number): Promise<EndedAttempt[]> {
      return db
        .selectFrom('stepAttempt')
        .innerJoin('run', 'run.id', 'stepAttempt.runId')
        .select(['advertiserId', 'run.deviceId', 'stepAttempt.step', 'stepAttempt.ipHmac', 'stepAttempt.state'])
        .where('issuedAt', '>=', since)
        .where((is) =>
          is.or([is('stepAttempt.state', 'not in', CONFIRMABLE_STATES), is('stepAttempt.expiresAt', '<=', at)]),
        )
        .where(
          sql<boolean>`NOT (returned_at IS NULL AND
            (step_attempt.state = 'superseded' OR step_attempt.state = 'expired' AND reason IS NOT NULL))`,
        )
        .orderBy('issuedAt', 'desc')
        .limit(limit)
        .execute();
    },

    findById(id: string): Promise<AttemptRow | undefined> {
      return db.selectFrom('stepAttempt').selectAll().where('id', '=', id).executeTakeFirst();
    },

    listOfRun(runId: string): Promise<AttemptRow[]> {
      return db.selectFrom('stepAttempt').selectAll().where('runId', '=', runId).orderBy('issuedAt', 'desc').execute();
    },

    /** The newest first. */
    listRecent: (runId: string, since: number): Promise<RecentAttempt[]> => listRecentAttempts(db, { runId, since }),

    /**
     * Lists at most `limit` attempts that an advertiser confirmed, that may count by now, and whose visitor has not
     * come back; the oldest first.
     */
    listConfirmed(at: number, limit: number): Promise<AttemptRow[]> {
      // Literals and not parameters: otherwise the databases do not use the partial index.
      return db
        .selectFrom('stepAttempt')
        .selectAll()
        .where(
          'state',
          'in',
          LIVE_STATES.map((state) => sql.lit(state)),
        )
        .where(confirmedAt, 'is not', null)
        .where('notBefore', '<=', at)
        .orderBy('notBefore')
        .limit(limit)
        .execute();
    },

    async insert(attempt: NewAttempt): Promise<void> {
      await insertAttempt(db, attempt);
    },

    /**
     * One statement, so of several requests with the same ticket one gets it. `claimedBy` is the name of this server.
     */
    async claim(tokenHash: string, claimedBy: string, at: number): Promise<AttemptRow | undefined> {
      const claim = startClaim(tokenHash, claimedBy, at).where('notBefore', '<=', at).where('expiresAt', '>', at);
      const [claimed] = await executeRelaxed(db, claim.returningAll());
      return claimed;
    },

    /**
     * Claims a ticket before its `notBefore`, because its proof may live for seconds. Not again once a proof is held.
     */
    async claimEarly(tokenHash: string, claimedBy: string, at: number): Promise<AttemptRow | undefined> {
      const claim = startClaim(tokenHash, claimedBy, at).where('notBefore', '>', at).where('proofAt', 'is', null);
      const [claimed] = await executeRelaxed(db, claim.returningAll());
      return claimed;
    },

    /**
     * Rolls back a claim whose commit outcome is unknown. A later claim, or one by another server, stays. It writes in
     * any case, so it waits for a claim that is not committed yet.
     */
    async rollBackClaim(id: string, claimedBy: string, at: number): Promise<void> {
      const { from, to } = ATTEMPT_TRANSITIONS.release;
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
      await change('release').where(matchesClaim(claim)).execute();
    },

    /** Ends a claimed attempt: asking may have used its proof up (`KS_PROVIDER_DOWN`), or its run had ended before. */
    async giveUp(claim: AttemptClaim, reason: 'KS_PROVIDER_DOWN' | null): Promise<void> {
      await change('giveUp').set({ reason }).where(matchesClaim(claim)).execute();
    },

    /**
     * Ends checks of a run that began before a time, or that a dead server had. Their tickets become usable again,
     * unless asking may have used the proof up: a token counts only once. One that is confirmed and held is not asked
     * for again.
     */
    async endChecks(runId: string, claimedBefore: number, claimedBy: string | undefined): Promise<void> {
      const tokens = db.selectFrom('advertiser').select('id').where('proof', '=', 'token');
      const left = (name: 'giveUp' | 'release') =>
        change(name)
          .where('runId', '=', runId)
          .where((is) => is.or([is('returnedAt', '<=', claimedBefore), is('claimedBy', '=', claimedBy ?? null)]));

      await left('giveUp')
        .set({ reason: PROVIDER_DOWN })
        .where('proofAt', 'is', null)
        .where('advertiserId', 'in', tokens)
        .execute();
      await left('release').execute();
    },

    keepProof(id: string, providerRef: string | null, at: number): Promise<ProofWrite> {
      const kept = change('keepProof').set({ proofAt: at, providerRef }).where('id', '=', id);
      return writeProof(kept.returning('id').executeTakeFirst());
    },

    /**
     * Marks an attempt as verified, with its proof, and ends the other open attempts at its step. Roll back unless it is
     * `written`: the others have ended all the same.
     * @param returnedAt when its visitor came back; undefined where that is known, or nobody did
     */
    verify(
      { id, runId, step }: Pick<AttemptRow, 'id' | 'runId' | 'step'>,
      providerRef: string | null,
      at: number,
      returnedAt?: number,
    ): Promise<ProofWrite> {
      const order = { id, runId, step, providerRef, at, returnedAt: returnedAt ?? null };
      return writeProof(verifyAttempt(db, order).then((rows) => rows.find((row) => row.id === id)));
    },

    /** Stores a proof that came too late to count, so that it cannot be used again. */
    spend(id: string, providerRef: string | null): Promise<ProofWrite> {
      const spent = change('spend').set({ providerRef }).where('id', '=', id);
      return writeProof(spent.returning('id').executeTakeFirst());
    },

    /** Undefined when there is nothing to store, or the same postback was stored with another attempt. */
    notePostback(id: string, providerRef: string, at: number): Promise<AttemptRow | undefined> {
      return catchDuplicate(
        db
          .updateTable('stepAttempt')
          .set({ postbackAt: at, providerRef })
          .where('id', '=', id)
          .where('state', 'in', CONFIRMABLE_STATES)
          .where('postbackAt', 'is', null)
          .where('expiresAt', '>', at)
          .returningAll()
          .executeTakeFirst(),
        undefined,
      );
    },

    /** False when the postback came in the meantime. */
    awaitPostback(id: string): Promise<boolean> {
      return writesRow(change('awaitPostback').where('id', '=', id).where('postbackAt', 'is', null));
    },

    /** With `KS_FAST` an unclaimed attempt, else a claimed one; false when it was decided before. */
    reject(id: string, reason: ErrorCode, at: number): Promise<boolean> {
      return writesRow(
        change(reason === 'KS_FAST' ? 'rejectEarly' : 'reject')
          .set({ reason, returnedAt: at })
          .where('id', '=', id),
      );
    },

    async withdraw(id: string): Promise<void> {
      await change('withdraw').set({ reason: PROVIDER_DOWN }).where('id', '=', id).execute();
    },

    /** Ends attempts to make room for a newer one. A confirmed one stays, and is credited when its time has come. */
    async supersede(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await change('supersede').where('id', 'in', ids).where(confirmedAt, 'is', null).execute();
    },

    /** Ends the expired attempts of a run. Confirmed ones stay until they are credited, or can no longer be. */
    async expireOfRun(runId: string, at: number): Promise<void> {
      await change('expire')
        .where('runId', '=', runId)
        .where('expiresAt', '<=', at)
        .where(confirmedAt, 'is', null)
        .execute();
    },
  };
}

/** When an advertiser confirmed an attempt that could not be credited at that moment. */
function confirmedAt({ fn }: ExpressionBuilder<Database, 'stepAttempt'>) {
  return fn.coalesce('postbackAt', 'proofAt');
}

/** Runs a statement that stores a proof. A unique index allows each proof once. */
async function writeProof(written: Promise<object | undefined>): Promise<ProofWrite> {
  const row = await catchDuplicate(written, 'reused');
  if (row === 'reused') return row;

  return row ? 'written' : 'ended';
}

/** Awaits a statement; gives `value` instead when a unique index refuses it. */
async function catchDuplicate<Result, const Value>(statement: Promise<Result>, value: Value): Promise<Result | Value> {
  try {
    return await statement;
  } catch (error) {
    if (isUniqueViolation(error)) return value;
    throw error;
  }
}

function matchesClaim({ id, claimedBy, returnedAt }: AttemptClaim) {
  return (is: ExpressionBuilder<Database, 'stepAttempt'>) => is.and({ id, claimedBy, returnedAt });
}

export function createStrikesRepository(db: Db) {
  return {
    async add(strike: StrikeRow): Promise<void> {
      await db.insertInto('strike').values(strike).execute();
    },

    listSince(deviceId: string, since: number): Promise<StrikeRow[]> {
      return db
        .selectFrom('strike')
        .select(['id', 'deviceId', 'visitorHmac', 'ipHmac', 'code', 'weight', 'at'])
        .where('deviceId', '=', deviceId)
        .where('at', '>', since)
        .execute();
    },
  };
}
