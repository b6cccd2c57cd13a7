import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import { completeStep } from '#api/product/key-system/return/complete-step.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

export interface Postback {
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
