import type { Kysely } from 'kysely';
import type { AttemptRow, Database, RunRow } from '#api/db/schema.ts';
import { runExpiry, type Limits } from './limits.ts';

const HOUR_IN_MS = 60 * 60 * 1000;

export type NewAttempt = Pick<AttemptRow, 'id' | 'advertiserId' | 'tokenHash' | 'sealedContext' | 'issuedAt' | 'notBefore' | 'expiresAt'>;

/** Adds an attempt inside a transaction; what it means stands at the repository's `issue`. */
export async function issueAttempt(
  trx: Kysely<Database>,
  run: RunRow,
  attempt: NewAttempt,
  limits: Limits,
): Promise<'issued' | 'moved_on' | 'limited'> {
  const at = attempt.issuedAt;
  // Touching the run first also makes parallel attempts of one run wait for each other.
  const touched = await trx
    .updateTable('run')
    .set({ updatedAt: at, expiresAt: runExpiry(limits, run.createdAt, at) })
    .where('id', '=', run.id)
    .where('state', '=', 'open')
    .where('step', '=', run.step)
    .where('expiresAt', '>', at)
    .returning('id')
    .executeTakeFirst();
  if (!touched) return 'moved_on';

  const { tries } = await trx
    .selectFrom('stepAttempt')
    .select((select) => select.fn.countAll<number>().as('tries'))
    .where('runId', '=', run.id)
    .where('issuedAt', '>', at - HOUR_IN_MS)
    .executeTakeFirstOrThrow();
  if (tries >= limits.attemptsPerHour) return 'limited';

  await supersedeSurplus(trx, run, at, limits.liveAttemptsPerStep);
  await trx
    .insertInto('stepAttempt')
    .values({ ...attempt, runId: run.id, step: run.step, returnedAt: null, postbackAt: null, verifiedAt: null, proofAt: null, providerRef: null, reason: null, ipHmac: null })
    .execute();
  return 'issued';
}

/** Leaves room for one more live attempt. */
async function supersedeSurplus(trx: Kysely<Database>, run: RunRow, at: number, most: number): Promise<void> {
  const live = await trx
    .selectFrom('stepAttempt')
    .select('id')
    .where('runId', '=', run.id)
    .where('step', '=', run.step)
    .where('state', 'in', ['issued', 'awaiting_postback'])
    .where('expiresAt', '>', at)
    .orderBy('issuedAt', 'desc')
    .execute();
  const surplus = live.slice(most - 1).map(({ id }) => id);
  if (surplus.length === 0) return;

  await trx
    .updateTable('stepAttempt')
    .set({ state: 'superseded' })
    .where('id', 'in', surplus)
    .where('state', 'in', ['issued', 'awaiting_postback'])
    .execute();
}
