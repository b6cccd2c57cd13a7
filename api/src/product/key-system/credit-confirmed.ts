import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { completeStep } from './complete-step.ts';
import type { KeySystem } from './key-system.ts';
import { oneByOne } from './one-by-one.ts';

/**
 * Credits steps that advertisers confirmed before they could count, once their time has come: their visitors may never
 * come back. It is safe while visitors return and other servers do the same: a step is credited once.
 * @param limit how many attempts to credit at most
 * @returns how many attempts there were; none of them is found again
 * @throws SignerUnavailable when a key could not be signed, after all other attempts had their turn
 */
export async function creditConfirmed(
  keySystem: Pick<KeySystem, 'db' | 'attempts' | 'runs' | 'limits' | 'keys' | 'subjectCipher' | 'now'>,
  limit: number,
): Promise<number> {
  const { attempts, runs, now } = keySystem;
  let unsigned: SignerUnavailable | undefined;
  const due = await attempts.listConfirmed(now(), limit);
  // One run in a transaction: a transaction that locks two runs could deadlock.
  await oneByOne(due, async (attempt) => {
    const run = await runs.find(attempt.runId);
    if (!run) return;
    await completeStep(keySystem, { attempt, run, providerRef: null, at: now() }).catch((error: unknown) => {
      // Other steps need no signature, so they are not kept waiting.
      if (!(error instanceof SignerUnavailable)) throw error;
      unsigned = error;
    });
  });
  if (unsigned) throw unsigned;
  return due.length;
}
