import { completeStep } from './complete-step.ts';
import type { KeySystem } from './key-system.ts';

/**
 * Credits what advertisers confirmed before it could count, once its time has come: nobody may ever come back for it.
 * Whoever comes back meanwhile, and any other server that does the same, find the step credited, or credit it first.
 * @param limit how many attempts to look at
 * @returns how many there were; none of them is found again
 */
export async function creditConfirmed(
  keySystem: Pick<KeySystem, 'db' | 'attempts' | 'runs' | 'limits' | 'keys' | 'subjectCipher' | 'now'>,
  limit: number,
): Promise<number> {
  const { attempts, runs, now } = keySystem;
  const due = await attempts.listConfirmed(now(), limit);
  // One at a time: whoever holds two runs could deadlock.
  for (const attempt of due) {
    const run = await runs.find(attempt.runId);
    if (run) await completeStep(keySystem, { attempt, run, providerRef: null, at: now() });
  }
  return due.length;
}
