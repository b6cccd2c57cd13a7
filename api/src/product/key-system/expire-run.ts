import type { Db } from '#api/foundation/db/schema.ts';
import { transact } from './transact.ts';

/** The times that decide what has expired, in epoch milliseconds. */
export interface ExpiryMoment {
  at: number;
  /** Checks that began before this have no process any more that could end them. */
  claimedBefore: number;
  /** The name of a server that has just started: the process that claimed attempts under this name is dead. */
  startedAs?: string;
}

/**
 * Ends what has expired in one run: the run itself, its tickets, and checks that no process works on any more. Nobody
 * gets a strike. No other use case depends on this: each compares times itself.
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
