import type { AttemptRow, RunRow } from '#api/foundation/db/schema.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import type { PreparedKey } from '#api/product/keys/keys.service.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import { runExpiry } from '#api/product/key-system/run-lifecycle.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';

export interface ConfirmedStep {
  attempt: AttemptRow;
  /** The run of the attempt, as it was read before the transaction. */
  run: RunRow;
  /** What names the proof; null when the attempt has it already, or the proof has no name. */
  providerRef: string | null;
  /** When the visitor came back, in epoch milliseconds, if no claim has noted it. */
  returnedAt?: number | undefined;
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

    const detail = { run: runId, step, advertiser: advertiserId };
    tx.record({ ...about, kind: 'attempt', code: 'verified', detail });
    if (!key) return { kind: 'credited', run: moved };

    const { appId, deviceId } = run;
    await tx.keys.insert({ ...key, deviceId, runId });
    tx.record({ ...about, kind: 'run', code: 'completed', detail: { run: runId } });
    tx.record({ ...about, kind: 'key', code: 'issued', detail: { jti: key.jti, app: appId, run: runId } });
    return { kind: 'credited', run: moved };
  });
}

async function prepareKey(
  { db, keys, subjectCipher }: Pick<KeySystem, 'db' | 'keys' | 'subjectCipher'>,
  { id, appId, sealedSubject }: RunRow,
  at: number,
): Promise<PreparedKey> {
  const { keyTtlMs: ttlMs } = await createAppsRepository(db).get(appId);
  return keys.prepare({ appId, subject: subjectCipher.open(id, sealedSubject), source: 'ads', at, ttlMs });
}
