import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { completeStep } from './return/complete-step.ts';
import type { KeySystem } from './key-system.ts';
import { createAttemptsRepository } from './attempts.repository.ts';
import { createRunsRepository, type CompletedRun } from './runs.repository.ts';
import { createAppsRepository } from '#api/product/apps/apps.repository.ts';

/**
 * Credits steps that advertisers confirmed before they could count, once their time has come: their visitors may never
 * come back. It is safe while visitors return and other servers do the same: a step is credited once.
 * @param limit how many attempts to credit at most
 * @returns how many attempts there were; none of them is found again
 * @throws SignerUnavailable when a key could not be signed, after all other attempts had their turn
 */
export async function creditConfirmed(
  keySystem: Pick<KeySystem, 'db' | 'limits' | 'keys' | 'subjectCipher' | 'now'>,
  limit: number,
): Promise<number> {
  const { db, now } = keySystem;
  const runs = createRunsRepository(db);
  let unsigned: SignerUnavailable | undefined;
  const due = await createAttemptsRepository(db).listConfirmed(now(), limit);
  // One run in a transaction: a transaction that locks two runs could deadlock.
  await runSequentially(due, async (attempt) => {
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

/** After so many failures the database itself is the likely cause, and each further one would wait for it. */
const MAX_FAILURES = 3;

/** Does something for each item in turn, also after failures, and throws the first one at the end. */
export async function runSequentially<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (failures.push(error) === MAX_FAILURES) break;
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The times that decide what has expired, in epoch milliseconds. */
export interface ExpiryTimes {
  at: number;
  /** Checks that began before this have no process any more that could end them. */
  claimedBefore: number;
  /** The name of a server that has just started: the process that claimed attempts under this name is dead. */
  startedAs?: string;
}

/**
 * Ends what has expired in one run: the run, its tickets, and checks that no process works on any more. No strike is
 * added.
 */
export function expireRun(
  { db }: { db: Db },
  runId: string,
  { at, claimedBefore, startedAs }: ExpiryTimes,
): Promise<void> {
  return transact(db, { runs: createRunsRepository, attempts: createAttemptsRepository }, async (tx) => {
    await tx.runs.lock(runId);
    await tx.runs.expire(runId, at);
    await tx.attempts.endChecks(runId, claimedBefore, startedAs);
    await tx.attempts.expireOfRun(runId, at);
  });
}

const MINUTE_MS = 60_000;

const MAX_RUNS = 500;

/** With fewer runs that count, nothing is said. */
const MIN_RUNS = 100;

/**
 * How many runs or visits of one network count on one day: a network has another pseudonym each day. Once that is
 * forgotten, as many of one device count. So one visitor with many hardly moves the median or the share.
 */
const MAX_PER_CLIENT = 5;

/**
 * Measures how long runs of each app usually take, and notes it for the pages. Several servers may do so at once.
 * @returns for how many apps that has changed
 */
export async function measureRuns({ db, now }: { db: Db; now: () => number }): Promise<number> {
  const apps = createAppsRepository(db);
  const runs = createRunsRepository(db);
  let changed = 0;
  for (const { id } of await apps.list())
    if (await apps.noteUsualRun(id, usualMs(await runs.listCompleted(id, now(), MAX_RUNS), MIN_RUNS))) changed++;

  return changed;
}

export function capPerClient<Item extends Pick<CompletedRun, 'deviceId' | 'ipHmac'>>(items: readonly Item[]): Item[] {
  const counts = new Map<string, number>();
  return items.filter(({ ipHmac, deviceId }) => {
    const of = ipHmac ?? deviceId;
    const count = (counts.get(of) ?? 0) + 1;
    counts.set(of, count);
    return count <= MAX_PER_CLIENT;
  });
}

/** The median of those that count, in milliseconds but rounded to minutes, at least one; null when too few do. */
export function usualMs(completed: readonly CompletedRun[], min: number): number | null {
  // Less than nothing: the clock was set back in between.
  const counted = capPerClient(completed.filter(({ tookMs }) => tookMs >= 0));
  if (counted.length < min) return null;

  const sorted = counted.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  // Rounded, because pages say minutes, and so that the value is seldom written.
  return Math.max(1, Math.round(median / MINUTE_MS)) * MINUTE_MS;
}
