import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CheckpointOrder, CheckpointReply } from './checkpoint-worker.ts';
import type { GroupCommit } from './group-commit.ts';

/** After how many pages SQLite checkpoints by itself (its default), and how many commits write about as many pages. */
const PAGES_BETWEEN = 1000;
const COMMITS_BETWEEN = 100;

/**
 * Starts a thread that checkpoints: it copies the log (WAL) into the database file. A checkpoint waits for the disk,
 * and in this process every request would wait with it. When the thread has ended, SQLite checkpoints by itself again,
 * within a commit.
 * @param log the group commit of this database; the result passes everything on to it
 * @param script the file that the thread runs, `checkpoint-worker.ts`
 * @param warn is called when the thread has ended by itself
 */
export function startBackgroundCheckpointer(
  database: DatabaseSync,
  log: GroupCommit,
  script: string,
  warn: (error: Error) => void,
): GroupCommit {
  const worker = new Worker(script, { workerData: database.location(), trackUnmanagedFds: false });
  let commits = 0;
  /** True until the thread is ready, and while it checkpoints. */
  let isBusy = true;
  let isClosing = false;
  let reason: unknown;

  worker.unref();
  worker.on('message', (message: CheckpointReply) => {
    isBusy = false;
    if (message === 'ready') setOwnHabit(0);
  });
  worker.on('error', (error: unknown) => {
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

  /** Sets after how many pages of the log SQLite checkpoints by itself; 0 means never. */
  function setOwnHabit(pages: number): void {
    if (database.isOpen) database.exec(`pragma wal_autocheckpoint = ${pages}`);
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
      // A program with nothing else to do would end before it.
      worker.ref();
      await gone;
      await log.close();
    },
  };
}
