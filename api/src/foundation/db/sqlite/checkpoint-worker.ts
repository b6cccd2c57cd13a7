import { fdatasyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { checkpointLog, type CheckpointOrder, type CheckpointReply } from './background-checkpointer.ts';

/**
 * How long a checkpoint may wait for readers, in milliseconds. A long reader such as a backup only lets the log grow;
 * writers should not wait for it with us.
 */
const BUSY_TIMEOUT_MS = 50;

const file = workerData as string;
const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
// Never closed: closing a descriptor gives up all locks that the process has on the file.
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
