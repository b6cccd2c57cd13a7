import { setTimeout as wait } from 'node:timers/promises';
import { MAX_STATS_DAYS } from '@app/contracts/stats';
import type { Logger } from 'pino';
import { DAY_MS, utcDay } from '#api/foundation/audit/anchor.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { attemptsCounted, keysCounted } from '#api/foundation/telemetry/metrics.ts';
import {
  createCountsRepository,
  OUTCOMES,
  type AttemptSums,
  type CountedKind,
  type KeySums,
} from './counts.repository.ts';
import { firstDay } from './read-stats.ts';

/**
 * Rows that are read at a time, and the pause after them: SQLite answers nothing else meanwhile, so they take less than a
 * millisecond, and a request that comes meanwhile hardly waits.
 */
const BATCH_SIZE = 250;
const PAUSE_MS = 10;

/** Portions that are written together: a commit waits for the disk, and so do the commits of requests after it. */
const MAX_BATCHES = 20;

/** Younger rows wait: a request may not have committed them yet, and the clocks of servers differ. */
const MIN_AGE_MS = 5 * 60_000;

/** An attempt that is undecided so long after its end is counted as it stands. It would stop the count for good. */
const MAX_UNDECIDED_MS = DAY_MS;

const COUNTED_KINDS: readonly CountedKind[] = ['attempts', 'issued', 'withdrawn'];

interface CountingDeps {
  db: Db;
  log: Pick<Logger, 'error'>;
  now: () => number;
}

/**
 * Makes a job that counts attempts that have ended, and keys, into the rows of their day. Each slice is one transaction
 * with the note of how far it goes, so that nothing counts twice: wherever a server stops, the next turn goes on there,
 * and of several servers one counts a slice. What was missed is made up. Once a day it removes the days that nobody can
 * ask for any more.
 */
export function createCounting({ db, log, now }: CountingDeps): (signal: AbortSignal) => Promise<void> {
  let forgotten = '';
  const attempt = (job: string, work: () => Promise<void>) =>
    work().catch((error: unknown) => log.error({ err: error, job }, 'sweeping failed'));

  async function forget(): Promise<void> {
    const first = firstDay(MAX_STATS_DAYS, now());
    if (first !== forgotten) await createCountsRepository(db).forget(first);
    forgotten = first;
  }

  return async function count(signal) {
    for (const what of COUNTED_KINDS)
      await attempt(`count ${what}`, async () => {
        while (!signal.aborted && (await countSlice(db, what, now(), { signal }))) await pause(signal);
      });
    await attempt('forget figures', forget);
  };
}

/**
 * Counts what comes next, within one day.
 * @param portion for tests: how many rows are read at a time
 * @returns false when there is nothing more to count at the moment
 */
export async function countSlice(
  db: Db,
  what: CountedKind,
  at: number,
  { signal, portion = BATCH_SIZE }: { signal: AbortSignal; portion?: number },
): Promise<boolean> {
  const counts = createCountsRepository(db);
  const from = await counts.readUntil(what);
  const settled = at - MIN_AGE_MS;
  const start = await counts.findTime(what, { from, before: settled }, 0);
  if (start === undefined) {
    if (settled > from) await counts.advance(what, from, settled);
    return false;
  }

  const end = Math.min(settled, start - (start % DAY_MS) + DAY_MS);
  const read: { attempts: AttemptSums[][]; keys: KeySums[][] } = { attempts: [], keys: [] };
  let to = start;
  let isHeldUp = false;
  // Nothing of a slice changes any more, so it is read before its transaction: on SQLite that is the only writer.
  for (let nth = 0; nth < MAX_BATCHES && to < end && !isHeldUp && !signal.aborted; nth++) {
    if (nth > 0) await pause(signal);
    const next = (await counts.findTime(what, { from: to, before: end }, portion)) ?? end;
    const slice = { from: to, before: Math.max(next, to + 1) };
    if (what === 'attempts') {
      const undecidedAt = await counts.findUndecided(slice, at - MAX_UNDECIDED_MS);
      isHeldUp = undecidedAt !== undefined;
      slice.before = undecidedAt ?? slice.before;
      read.attempts.push(await counts.sumAttempts(slice));
    } else read.keys.push(await counts.sumKeys(what, slice));
    to = slice.before;
  }
  if (to > from) await write(db, what, { from, to, at, day: utcDay(start) }, read);
  return !isHeldUp && to < settled;
}

/** Adds what was read to the day, unless another server has done so. */
async function write(
  db: Db,
  what: CountedKind,
  { from, to, at, day }: { from: number; to: number; at: number; day: string },
  { attempts, keys }: { attempts: AttemptSums[][]; keys: KeySums[][] },
): Promise<void> {
  const isCounted = await transact(db, { counts: createCountsRepository }, async (tx) => {
    if (!(await tx.counts.advance(what, from, to))) return rollBack(false);

    for (const sums of attempts) await tx.counts.addAttempts(day, sums);
    if (what !== 'attempts') for (const sums of keys) await tx.counts.addKeys(what, day, sums);
    return true;
  });
  // What is made up for later is no rate of now.
  if (!isCounted || to < at - DAY_MS) return;

  for (const { appId: app, step, advertiserId: advertiser, ...sums } of attempts.flat())
    for (const outcome of OUTCOMES)
      if (sums[outcome] > 0) attemptsCounted.inc({ app, step, advertiser, outcome }, sums[outcome]);
  for (const { appId: app, count } of keys.flat()) keysCounted.inc({ app, outcome: what }, count);
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
}
