import type { Db } from '#api/foundation/db/schema.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { transact } from './transact.ts';

/** How many moves wait in this process for the one that is under way. */
const MOST_WAITING = 2;

/** What a move does in its transaction. */
export type Work<Result> = Parameters<typeof transact<Result>>[1];

interface Queue {
  /** The move under way, and those that wait for it. */
  length: number;
  last: Promise<unknown>;
}

const queues = new WeakMap<Db, Queue>();

/**
 * Runs a move, or another change of the registry, in one transaction: one after the other, also those of other
 * processes. The moves of this process wait without a connection to the database. So somebody who locks the registry
 * stops the moves, and takes one connection and no more from everybody else.
 * @param work is called when no other move is under way
 * @param isUrgent for moves that protect visitors: they wait, however many there are
 * @returns what `work` returned, also when it was undone
 * @throws AppError `server.busy` when enough moves wait already
 * @throws DatabaseUnavailable when a lock was not granted in time, or the commit could not be confirmed
 */
export async function transactMove<Result>(
  db: Db,
  work: Work<Result>,
  { isUrgent = false } = {},
): ReturnType<typeof transact<Result>> {
  const queue = queues.get(db) ?? { length: 0, last: Promise.resolve() };
  queues.set(db, queue);
  if (queue.length > MOST_WAITING && !isUrgent)
    throw new AppError('server.busy', 'Other changes of releases are under way; try again in a moment.');

  queue.length++;
  const move = queue.last.then(() =>
    transact<Result>(db, async (tx) => {
      await tx.channels.begin();
      return work(tx);
    }),
  );
  queue.last = move.catch(() => undefined);
  return move.finally(() => queue.length--);
}
