import type { AttemptRow, RunRow } from '#api/db/schema.ts';
import { undo } from '#api/features/audit/transact.ts';
import type { KeySystem } from './key-system.ts';
import { runExpiry } from './limits.ts';
import { transact } from './transact.ts';

export interface ConfirmedStep {
  /** The attempt that an advertiser has confirmed. */
  attempt: AttemptRow;
  /** Its run, as it was when the attempt was looked at. */
  run: RunRow;
  /** What names the proof; null when the attempt holds it already, or it has no name. */
  providerRef: string | null;
  /** Epoch milliseconds. */
  at: number;
}

export type CompletedStep =
  /** The run as it goes on. */
  | { kind: 'credited'; run: RunRow }
  /** The step was credited before, the run is over, or the attempt was ended meanwhile. */
  | { kind: 'too_late' }
  /** The proof counted for another attempt, and nothing has changed. */
  | { kind: 'reused' };

/**
 * Credits a step: the proof is spent, the run moves on, the attempt has won, and the last step brings the key.
 * All of it or nothing. A return and an advertiser's call both end here.
 * @throws DatabaseUnavailable when the commit could not be confirmed; the same step may then be completed again
 */
export function completeStep(
  { db, limits, keys, subjectCipher }: Pick<KeySystem, 'db' | 'limits' | 'keys' | 'subjectCipher'>,
  { attempt, run, providerRef, at }: ConfirmedStep,
): Promise<CompletedStep> {
  const { step, runId, advertiserId } = attempt;
  const isLast = step === run.stepsRequired;
  const proof = providerRef ?? attempt.providerRef;
  const about = { at, subject: run.deviceId };

  return transact<CompletedStep>(db, async (tx) => {
    const moved = isLast
      ? await tx.runs.complete(runId, step, at)
      : await tx.runs.advance(runId, step, at, runExpiry(limits, run.createdAt, at));

    // Even a proof that comes too late is spent.
    const written = moved
      ? await tx.attempts.verify(attempt.id, proof, at)
      : await tx.attempts.spend(attempt.id, proof);
    if (written === 'reused') return undo({ kind: 'reused' });
    if (!moved) return { kind: 'too_late' };
    if (written === 'ended') return undo({ kind: 'too_late' });

    await tx.attempts.supersedeAt(runId, step);
    const detail = { run: runId, attempt: attempt.id, step, advertiser: advertiserId };
    tx.record({ ...about, kind: 'attempt', code: 'verified', detail });
    if (!isLast) return { kind: 'credited', run: moved };

    const { appId, deviceId } = run;
    const { keyTtlMs: ttlMs } = await tx.apps.get(appId);
    const key = keys.prepare({
      appId,
      deviceId,
      runId,
      subject: subjectCipher.open(runId, run.sealedSubject),
      at,
      ttlMs,
    });
    await tx.keys.insertForRun(key);
    tx.record({ ...about, kind: 'run', code: 'completed', detail: { run: runId } });
    tx.record({ ...about, kind: 'key', code: 'issued', detail: { jti: key.jti, app: appId, run: runId } });
    return { kind: 'credited', run: moved };
  });
}
