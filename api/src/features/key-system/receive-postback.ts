import { createHash, timingSafeEqual } from 'node:crypto';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';
import { AppError } from '#api/http/app-error.ts';
import { completeStep } from './complete-step.ts';
import type { KeySystem } from './key-system.ts';

export interface Postback {
  secret: string;
  /** The id of our attempt. */
  clickId: string;
  /** The advertiser's id of the finished task. */
  uniqueId: string;
}

/**
 * Handles LootLabs' postback: an attempt was finished, whether or not its visitor is back. The same postback may come
 * again and counts once.
 * @throws AppError `KS_PROOF` with a wrong secret, `KS_TICKET` when the attempt is unknown or another advertiser's
 * @throws DatabaseUnavailable when the credit could not be written; it is then tried again in the background
 */
export async function receivePostback(keySystem: KeySystem, { secret, clickId, uniqueId }: Postback): Promise<void> {
  const { attempts, runs, postbackSecret, laterWrites, now } = keySystem;
  if (!isSame(secret, postbackSecret())) throw new AppError('KS_PROOF');

  const known = await attempts.findById(clickId);
  if (known?.advertiserId !== 'lootlabs') throw new AppError('KS_TICKET');

  const at = now();
  const noted = await attempts.notePostback(clickId, uniqueId, at);
  // A postback may have been stored before while its credit could not be written. Then its repetition credits it.
  const attempt = noted ?? (known.providerRef === uniqueId ? known : undefined);
  // A return that is being checked finds the stored postback itself.
  if (!attempt || attempt.state === 'checking' || attempt.notBefore > at) return;

  const run = await runs.find(attempt.runId);
  if (!run) return;

  const write = () => completeStep(keySystem, { attempt, run, providerRef: null, at });
  try {
    await write();
  } catch (error) {
    // The advertiser may not call again, since its postback is stored.
    if (error instanceof DatabaseUnavailable)
      laterWrites.add({ attemptId: attempt.id, write, until: run.expiresAt, reason: error });
    throw error;
  }
}

function isSame(given: string, secret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(secret));
}
