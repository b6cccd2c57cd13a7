import { completeStep } from './complete-step.ts';
import type { KeySystem } from './key-system.ts';
import { oneByOne } from './one-by-one.ts';

/**
 * Credits steps that advertisers confirmed before they could count, once their time has come: their visitors may never
 * come back. It is safe while visitors return and other servers do the same: a step is credited once.
 * @param limit how many attempts to credit at most
 * @returns how many attempts there were; none of them is found again
 */
export async function creditConfirmed(
  keySystem: Pick<KeySystem, 'db' | 'attempts' | 'runs' | 'limits' | 'keys' | 'subjectCipher' | 'now'>,
  limit: number,
): Promise<number> {
  const { attempts, runs, now } = keySystem;
  const due = await attempts.listConfirmed(now(), limit);
  // One run in a transaction: a transaction that locks two runs could deadlock.
  await oneByOne(due, async (attempt) => {
    const run = await runs.find(attempt.runId);
    if (run) await completeStep(keySystem, { attempt, run, providerRef: null, at: now() });
  });
  return due.length;
}
