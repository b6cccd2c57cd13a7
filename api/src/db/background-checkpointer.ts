import { Worker } from 'node:worker_threads';
import type SqliteDatabase from 'better-sqlite3';
import type { CheckpointOrder, CheckpointReply } from './checkpoint-worker.ts';
import type { GroupCommit } from './group-commit.ts';

/** SQLite's own habit, and how many commits come to about as much. */
const PAGES_BETWEEN = 1000;
const COMMITS_BETWEEN = 100;

/**
 * Has what stands in the log brought into the database by a thread of its own: that waits for the disk, which keeps every
 * request of this process waiting otherwise. Without the thread SQLite does it itself, now and then within a commit.
 * @param script what the thread runs, `checkpoint-worker.ts`
 * @param warn hears of a thread that has ended by itself
 */
export function startBackgroundCheckpointer(
  database: SqliteDatabase.Database,
  log: GroupCommit,
  script: string,
  warn: (error: Error) => void,
): GroupCommit {
  const worker = new Worker(script, { workerData: database.name, trackUnmanagedFds: false });
  let commits = 0;
  /** Until it says that it is ready, and again while it is at work. */
  let isBusy = true;
  let isClosing = false;
  let reason: Error | undefined;

  worker.unref();
  worker.on('message', (message: CheckpointReply) => {
    isBusy = false;
    if (message === 'ready') setOwnHabit(0);
  });
  worker.on('error', (error) => {
    reason = error;
  });
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      if (!isClosing)
        warn(
          new Error('The checkpoint thread has ended; SQLite checkpoints within commits from now on.', {
            cause: reason ?? code,
          }),
        );
      isBusy = true;
      setOwnHabit(PAGES_BETWEEN);
      resolve();
    });
  });

  /** After how many pages SQLite does it itself; 0 is never. */
  function setOwnHabit(pages: number): void {
    if (database.open) database.pragma(`wal_autocheckpoint = ${pages}`);
  }

  return {
    sync() {
      commits += 1;
      if (commits >= COMMITS_BETWEEN && !isBusy) {
        commits = 0;
        isBusy = true;
        worker.postMessage('checkpoint' satisfies CheckpointOrder);
      }
      return log.sync();
    },
    pending: log.pending,
    async close() {
      isClosing = true;
      worker.postMessage('close' satisfies CheckpointOrder);
      await gone;
      await log.close();
    },
  };
}
