import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

/** Pages of the log beyond which writers wait a moment, so that it can begin anew; until then that waits for a quiet moment. */
const LONG_LOG = 16_384;

export type CheckpointOrder = 'checkpoint' | 'close';
export type CheckpointReply = 'ready' | 'done';

const database = new SqliteDatabase(workerData as string);

parentPort?.on('message', (message: CheckpointOrder) => {
  if (message === 'close') {
    database.close();
    process.exit();
  }

  const [{ log }] = database.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }];
  if (log > LONG_LOG) database.pragma('wal_checkpoint(RESTART)');
  parentPort?.postMessage('done' satisfies CheckpointReply);
});
parentPort?.postMessage('ready' satisfies CheckpointReply);
