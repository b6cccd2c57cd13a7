import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type SqliteDatabase from 'better-sqlite3';
import type { LogSync } from './log-sync.ts';

/** About a thousand pages, as SQLite's own habit is. */
const COMMITS_BETWEEN = 100;

/**
 * Has what stands in the log brought into the database by a thread of its own: that waits for the disk, which keeps every
 * request of this process waiting otherwise. Without the thread SQLite does it itself, now and then within a commit.
 * @param script what the thread runs, `checkpoint.ts`
 */
export function checkpointAside(database: SqliteDatabase.Database, log: LogSync, script: string): LogSync {
  const worker = new Worker(script, { workerData: database.name });
  let commits = 0;
  let isBusy = false;
  let isGone = false;

  worker.unref();
  worker.once('online', () => database.pragma('wal_autocheckpoint = 0'));
  worker.on('message', () => (isBusy = false));
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    isGone = true;
    if (database.open) database.pragma('wal_autocheckpoint = 1000');
  });

  return {
    sync() {
      commits += 1;
      if (commits >= COMMITS_BETWEEN && !isBusy && !isGone) {
        commits = 0;
        isBusy = true;
        worker.postMessage('checkpoint');
      }
      return log.sync();
    },
    pending: log.pending,
    async close() {
      if (!isGone) {
        worker.postMessage('close');
        await once(worker, 'exit');
      }
      await log.close();
    },
  };
}
