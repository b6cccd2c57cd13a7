import { createHash, timingSafeEqual } from 'node:crypto';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';
import { AppError } from '#api/http/app-error.ts';
import { completeStep } from './complete-step.ts';
import type { KeySystem } from './key-system.ts';

export interface Postback {
  secret: string;
  /** Our attempt. */
  clickId: string;
  /** The advertiser's name for the finished task. */
  uniqueId: string;
}

/**
 * Takes the advertiser's word that an attempt was finished, whether or not its visitor is back yet.
 * The same call may come again, and counts once.
 * @throws AppError KS_PROOF without the right secret, KS_TICKET for an attempt that is not LootLabs'
 */
export async function receivePostback(keySystem: KeySystem, { secret, clickId, uniqueId }: Postback): Promise<void> {
  const { attempts, runs, postbackSecret, laterWrites, now } = keySystem;
  if (!isSame(secret, postbackSecret())) throw new AppError('KS_PROOF');

  const known = await attempts.findById(clickId);
  if (known?.advertiserId !== 'lootlabs') throw new AppError('KS_TICKET');

  const at = now();
  const noted = await attempts.notePostback(clickId, uniqueId, at);
  // One that was noted before may have met a database that took the note and not the credit.
  const attempt = noted ?? (known.providerRef === uniqueId ? known : undefined);
  // A return that is being checked at this moment finds the note itself.
  if (!attempt || attempt.state === 'checking' || attempt.notBefore > at) return;

  const run = await runs.find(attempt.runId);
  if (!run) return;

  const write = () => completeStep(keySystem, { attempt, run, providerRef: null, at });
  try {
    await write();
  } catch (error) {
    // The advertiser may not call again, and its word is noted already.
    if (error instanceof DatabaseUnavailable)
      laterWrites.add({ attemptId: attempt.id, write, until: run.expiresAt, reason: error });
    throw error;
  }
}

function isSame(given: string, secret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(secret));
}
