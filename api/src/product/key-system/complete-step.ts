import type { AttemptRow, RunRow } from '#api/foundation/db/schema.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import type { PreparedKey } from '#api/product/keys/keys.service.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createRunsRepository } from './runs.repository.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import type { KeySystem } from './key-system.ts';
import { runExpiry } from './run-lifecycle.ts';
import { createAttemptsRepository } from './attempts.repository.ts';

export interface ConfirmedStep {
  /** The attempt that an advertiser has confirmed. */
  attempt: AttemptRow;
  /** The run of the attempt, as it was read before the transaction. */
  run: RunRow;
  /** What names the proof; null when the attempt has it already, or the proof has no name. */
  providerRef: string | null;
  /** When the visitor came back, in epoch milliseconds, if no claim has noted it. */
  returnedAt?: number | undefined;
  /** Epoch milliseconds. */
  at: number;
}

export type CompletedStep =
  /** `run`: its state after the credit. */
  | { kind: 'credited'; run: RunRow }
  /** The step was credited before, the run has ended, or the attempt has ended meanwhile. */
  | { kind: 'too_late' }
  /** The proof has counted for another attempt. Nothing was changed. */
  | { kind: 'reused' };

/**
 * Credits a step in one transaction: it moves the run on, marks the attempt as verified and its proof as used, and
 * after the last step stores the key, which was signed before. Both a return and a postback end here.
 * @throws DatabaseUnavailable when the commit could not be confirmed; it is safe to complete the same step again
 * @throws SignerUnavailable when the key could not be signed; nothing was changed
 */
export async function completeStep(
  keySystem: Pick<KeySystem, 'db' | 'limits' | 'keys' | 'subjectCipher'>,
  { attempt, run, providerRef, returnedAt, at }: ConfirmedStep,
): Promise<CompletedStep> {
  const { step, runId, advertiserId } = attempt;
  const { db, limits } = keySystem;
  const key = step === run.stepsRequired ? await prepareKey(keySystem, run, at) : undefined;
  const proof = providerRef ?? attempt.providerRef;
  const about = { at, subject: run.deviceId };

  const needs = { runs: createRunsRepository, attempts: createAttemptsRepository, keys: createKeysRepository };
  return transact(db, needs, async (tx) => {
    const moved = key
      ? await tx.runs.complete(runId, step, at)
      : await tx.runs.advance(runId, step, at, runExpiry(limits, run.createdAt, at));

    // A proof that comes too late is used up, too.
    const written = moved
      ? await tx.attempts.verify(attempt, proof, at, returnedAt)
      : await tx.attempts.spend(attempt.id, proof);
    if (written === 'reused') return rollBack<CompletedStep>({ kind: 'reused' });
    if (!moved) return { kind: 'too_late' };
    if (written === 'ended') return rollBack<CompletedStep>({ kind: 'too_late' });

    const detail = { run: runId, attempt: attempt.id, step, advertiser: advertiserId };
    tx.record({ ...about, kind: 'attempt', code: 'verified', detail });
    if (!key) return { kind: 'credited', run: moved };

    const { appId, deviceId } = run;
    await tx.keys.insertForRun({ ...key, deviceId, runId });
    tx.record({ ...about, kind: 'run', code: 'completed', detail: { run: runId } });
    tx.record({ ...about, kind: 'key', code: 'issued', detail: { jti: key.jti, app: appId, run: runId } });
    return { kind: 'credited', run: moved };
  });
}

/** Signs the key of a run. */
async function prepareKey(
  { db, keys, subjectCipher }: Pick<KeySystem, 'db' | 'keys' | 'subjectCipher'>,
  { id, appId, sealedSubject }: RunRow,
  at: number,
): Promise<PreparedKey> {
  const { keyTtlMs: ttlMs } = await createAppsRepository(db).get(appId);
  return keys.prepare({ appId, subject: subjectCipher.open(id, sealedSubject), source: 'ads', at, ttlMs });
}

export interface Postback {
  /** The id of our attempt. */
  clickId: string;
  /** The advertiser's id of the finished task. */
  uniqueId: string;
}

/**
 * Handles LootLabs' postback: an attempt was finished, whether or not its visitor is back. The same postback may come
 * again and counts once.
 * @throws AppError `KS_TICKET` when the attempt is unknown or another advertiser's
 * @throws DatabaseUnavailable when it could not be written; it is then tried again in the background
 */
export async function receivePostback(keySystem: KeySystem, postback: Postback): Promise<void> {
  const { retryQueue, limits, now } = keySystem;
  const at = now();
  const write = () => handlePostback(keySystem, postback, at);
  try {
    await write();
  } catch (error) {
    // The advertiser may not call again.
    if (error instanceof DatabaseUnavailable) {
      const { clickId: attemptId, uniqueId } = postback;
      const key = `postback ${attemptId} ${uniqueId}`;
      retryQueue.add({ key, attemptId, write, until: at + limits.runMaxMs, reason: error });
    }
    throw error;
  }
}

/** Stores the postback, and credits its step if it may count by now. It can be repeated. */
async function handlePostback(keySystem: KeySystem, { clickId, uniqueId }: Postback, at: number): Promise<void> {
  const attempts = createAttemptsRepository(keySystem.db);
  const known = await attempts.findById(clickId);
  if (known?.advertiserId !== 'lootlabs') throw new AppError('KS_TICKET');

  const noted = await attempts.notePostback(clickId, uniqueId, at);
  // A postback may have been stored before while its credit could not be written. Then its repetition credits it.
  const attempt = noted ?? (known.providerRef === uniqueId ? known : undefined);
  // A return that is being checked finds the stored postback itself.
  if (!attempt || attempt.state === 'checking' || attempt.notBefore > at) return;

  const run = await createRunsRepository(keySystem.db).find(attempt.runId);
  if (run) await completeStep(keySystem, { attempt, run, providerRef: null, at });
}
