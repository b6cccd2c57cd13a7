import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DAY_MS, utcDay } from '#api/foundation/audit/anchor.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { attemptsCounted, keysCounted } from '#api/foundation/telemetry/metrics.ts';
import { createCountsRepository, OUTCOMES, type Counted } from './counts.repository.ts';

/**
 * Rows that are counted at a time, and the pause after them: SQLite answers nothing else meanwhile, so a slice takes
 * about a millisecond, and a request that comes meanwhile hardly waits.
 */
const SLICE = 500;
const PAUSE_MS = 20;

/** Younger rows wait: a request may not have committed them yet, and the clocks of servers differ. */
const SETTLED_MS = 5 * 60_000;

/** An attempt that is undecided so long after its end is counted as it stands. It would stop the count for good. */
const STUCK_MS = DAY_MS;

const ALL: readonly Counted[] = ['attempts', 'issued', 'withdrawn'];

interface Counting {
  db: Db;
  log: Pick<Logger, 'error'>;
  now: () => number;
}

/**
 * Makes a job that counts attempts that have ended, and keys, into the rows of their day. Each slice is one transaction
 * with the note of how far it goes, so that nothing counts twice: wherever a server stops, the next turn goes on there,
 * and of several servers one counts a slice. What was missed is made up.
 */
export function createCounting({ db, log, now }: Counting): (signal: AbortSignal) => Promise<void> {
  return async function count(signal) {
    for (const what of ALL) {
      try {
        while (!signal.aborted && (await countSlice(db, what, now()))) await pause(signal);
      } catch (error) {
        log.error({ err: error, job: `count ${what}` }, 'sweeping failed');
      }
    }
  };
}

/** @returns false when there is nothing more to count at the moment */
export async function countSlice(db: Db, what: Counted, at: number, most = SLICE): Promise<boolean> {
  const counts = createCountsRepository(db);
  const from = await counts.readUntil(what);
  const settled = at - SETTLED_MS;
  const start = await counts.findTime(what, { from, before: settled }, 0);
  if (start === undefined) {
    if (settled > from) await counts.advance(what, from, settled);
    return false;
  }

  // Within one day.
  const end = Math.min(settled, start - (start % DAY_MS) + DAY_MS);
  const next = await counts.findTime(what, { from: start, before: end }, most);
  const wanted = next === undefined ? end : Math.max(next, start + 1);
  const undecided =
    what === 'attempts' ? await counts.findUndecided({ from: start, before: wanted }, at - STUCK_MS) : undefined;
  const to = undecided ?? wanted;
  if (to > from) await countUntil(db, what, { from, start, to, at });
  return undecided === undefined && wanted < settled;
}

/** Counts from `start` on, before which there is nothing since `from`. */
async function countUntil(
  db: Db,
  what: Counted,
  { from, start, to, at }: { from: number; start: number; to: number; at: number },
): Promise<void> {
  const counts = createCountsRepository(db);
  const day = utcDay(start);
  const slice = { from: start, before: to };
  // Nothing of a slice changes any more, so it is read before the transaction: on SQLite that is the only writer.
  const attempts = what === 'attempts' ? await counts.sumAttempts(slice) : [];
  const keys = what === 'attempts' ? [] : await counts.sumKeys(what, slice);

  const isCounted = await transact(db, { counts: createCountsRepository }, async (tx) => {
    if (!(await tx.counts.advance(what, from, to))) return rollBack(false);

    await tx.counts.addAttempts(day, attempts);
    if (what !== 'attempts') await tx.counts.addKeys(what, day, keys);
    return true;
  });
  // What is made up for later is no rate of now.
  if (!isCounted || start < at - DAY_MS) return;

  for (const { appId: app, step, advertiserId: advertiser, ...sums } of attempts)
    for (const outcome of OUTCOMES)
      if (sums[outcome] > 0) attemptsCounted.inc({ app, step, advertiser, outcome }, sums[outcome]);
  for (const { appId: app, count } of keys) keysCounted.inc({ app, outcome: what }, count);
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
}
