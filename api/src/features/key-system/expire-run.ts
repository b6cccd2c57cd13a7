import type { Db } from '#api/db/schema.ts';
import { transact } from './transact.ts';

/** The moments that decide what is over, epoch milliseconds. */
export interface ExpiryMoment {
  at: number;
  /** A check that began before this has no process any more that could end it. */
  claimedBefore: number;
  /** The server that has just started: what it claimed, it claimed before it died. */
  startedAs?: string;
}

/**
 * Ends what is over of one run: the run itself, its checks that nobody works at any more, its tickets. Nobody is blamed.
 * Every other use case looks at the clock itself, so nothing waits for this to happen.
 */
export function expireRun(
  { db }: { db: Db },
  runId: string,
  { at, claimedBefore, startedAs }: ExpiryMoment,
): Promise<void> {
  return transact(db, async (tx) => {
    await tx.runs.lock(runId);
    await tx.runs.expire(runId, at);
    await tx.attempts.endChecks(runId, claimedBefore, startedAs);
    await tx.attempts.expireOfRun(runId, at);
  });
}
