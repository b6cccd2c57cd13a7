import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { GroupCommit } from './group-commit.ts';

export type CheckpointOrder = 'checkpoint' | 'close';
export type CheckpointReply = 'ready' | 'done';

/** After how many pages SQLite checkpoints by itself (its default), and how many commits write about as many pages. */
const CHECKPOINT_INTERVAL_PAGES = 1000;
const CHECKPOINT_INTERVAL_COMMITS = 100;

/**
 * Starts a thread that checkpoints: it copies the log (WAL) into the database file. A checkpoint waits for the disk,
 * and in this process every request would wait with it. When the thread has ended, SQLite checkpoints by itself again,
 * within a commit.
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
      setOwnHabit(CHECKPOINT_INTERVAL_PAGES);
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
      if (commits >= CHECKPOINT_INTERVAL_COMMITS && !isBusy) {
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

/**
 * When the log is longer than this (in pages), writers wait a moment so that it can start again from its
 * beginning. A shorter log starts again by itself once it is not in use.
 */
const LONG_LOG_PAGES = 16_384;

/** Checkpoints, in the thread. */
export function checkpointLog(database: Pick<DatabaseSync, 'prepare'>, syncDatabase: () => void): void {
  const passive = database.prepare('pragma wal_checkpoint(PASSIVE)').get();
  if (Number(passive?.['log']) <= LONG_LOG_PAGES) return;

  // RESTART blocks writers until the file is on the disk. Syncing it first leaves RESTART only the last few pages.
  syncDatabase();
  database.prepare('pragma wal_checkpoint(RESTART)').get();
}
