import type { AttemptRow, Db, NewKey, RunRow } from '#api/db/schema.ts';
import { appendAudit } from '#api/features/audit/append-audit.ts';
import { createKeysRepository } from '#api/features/keys/keys.repository.ts';
import { runExpiry, type Limits } from './limits.ts';

export interface FinishedStep {
  attempt: AttemptRow;
  run: RunRow;
  /** What names the advertiser's proof; null where there is no name. */
  providerRef: string | null;
  /** The key to hand out when this was the last step. */
  key: NewKey | undefined;
  at: number;
}

const LIVE = ['issued', 'checking', 'awaiting_postback'] as const;

/** The attempt itself was ended in the meantime, so that nothing may come of it; undoes what the transaction has done so far. */
export class StaleAttemptError extends Error {}

/**
 * Credits a step inside a transaction; what it promises stands at the repository's `finishStep`.
 * @throws StaleAttemptError
 */
export async function finishStep(trx: Db, step: FinishedStep, limits: Limits): Promise<RunRow | undefined> {
  const { attempt, run, key, at } = step;
  const providerRef = step.providerRef ?? attempt.providerRef;

  // The run's row is taken first, as issuing an attempt does: so the two never deadlock.
  const advanced = await trx
    .updateTable('run')
    .set({
      updatedAt: at,
      ...(key
        ? { state: 'completed', completedAt: at }
        : { step: attempt.step + 1, expiresAt: runExpiry(limits, run.createdAt, at) }),
    })
    .where('id', '=', run.id)
    .where('state', '=', 'open')
    .where('step', '=', attempt.step)
    .where('expiresAt', '>', at)
    .returningAll()
    .executeTakeFirst();

  // Even a proof that comes too late is spent.
  const spent = await trx
    .updateTable('stepAttempt')
    .set({ providerRef, ...(advanced ? { state: 'verified', verifiedAt: at } : { state: 'superseded' }) })
    .where('id', '=', attempt.id)
    .where('state', 'in', LIVE)
    .returning('id')
    .executeTakeFirst();
  if (!advanced) return undefined;
  if (!spent) throw new StaleAttemptError();

  await supersedeRivals(trx, attempt);
  if (key) await createKeysRepository(trx).insertForRun(key);
  await recordFinished(trx, step);
  return advanced;
}

async function recordFinished(trx: Db, { attempt, run, key, at }: FinishedStep): Promise<void> {
  const about = { at, subject: run.deviceId };
  await appendAudit(trx, {
    ...about,
    kind: 'attempt',
    code: 'verified',
    detail: { run: run.id, attempt: attempt.id, step: attempt.step, advertiser: attempt.advertiserId },
  });
  if (!key) return;

  await appendAudit(trx, { ...about, kind: 'run', code: 'completed', detail: { run: run.id } });
  await appendAudit(trx, {
    ...about,
    kind: 'key',
    code: 'issued',
    detail: { jti: key.jti, app: key.appId, run: run.id },
  });
}

/** The step is done, so its other open tabs have nothing left to finish. */
async function supersedeRivals(trx: Db, { runId, step }: AttemptRow): Promise<void> {
  await trx
    .updateTable('stepAttempt')
    .set({ state: 'superseded' })
    .where('runId', '=', runId)
    .where('step', '=', step)
    .where('state', 'in', ['issued', 'awaiting_postback'])
    .execute();
}
