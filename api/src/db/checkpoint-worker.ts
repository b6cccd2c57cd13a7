import { fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { checkpointLog } from './checkpoint-log.ts';

export type CheckpointOrder = 'checkpoint' | 'close';
export type CheckpointReply = 'ready' | 'done';

/** A reader that takes long, such as a backup, lets the log grow; writers do not wait for it together with us. */
const PATIENCE_MS = 50;

const file = workerData as string;
const database = new SqliteDatabase(file, { timeout: PATIENCE_MS });
// Open until the process ends: to close it would give up the locks that the whole process has on the file.
const descriptor = openSync(file, 'r+');

parentPort?.on('message', (message: CheckpointOrder) => {
  if (message === 'close') {
    database.close();
    process.exit();
  }

  checkpointLog(database, () => fdatasyncSync(descriptor));
  parentPort?.postMessage('done' satisfies CheckpointReply);
});
parentPort?.postMessage('ready' satisfies CheckpointReply);
