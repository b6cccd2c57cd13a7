import type { DatabaseSync } from 'node:sqlite';

/**
 * When the log is longer than this (in pages), writers have to wait a moment so that it can start again from its
 * beginning. A shorter log starts again by itself when nobody reads or writes.
 */
const LONG_LOG = 16_384;

/**
 * Checkpoints: copies the log (WAL) into the database file.
 * @param syncDatabase returns once the database file is on the disk
 */
export function checkpointLog(database: Pick<DatabaseSync, 'prepare'>, syncDatabase: () => void): void {
  const passive = database.prepare('pragma wal_checkpoint(PASSIVE)').get();
  if (Number(passive?.['log']) <= LONG_LOG) return;

  // RESTART blocks writers until the file is on the disk. Syncing it first leaves RESTART only the last few pages.
  syncDatabase();
  database.prepare('pragma wal_checkpoint(RESTART)').get();
}
