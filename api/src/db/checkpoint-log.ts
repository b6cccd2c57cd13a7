import type SqliteDatabase from 'better-sqlite3';

/** Pages of the log beyond which writers wait a moment, so that it can begin anew; until then that waits for a quiet moment. */
const LONG_LOG = 16_384;

/**
 * Brings what stands in the log into the database.
 * @param syncDatabase waits until the database's file is on the disk
 */
export function checkpointLog(database: Pick<SqliteDatabase.Database, 'pragma'>, syncDatabase: () => void): void {
  const [{ log }] = database.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }];
  if (log <= LONG_LOG) return;

  // RESTART keeps writers out until the file is on the disk. By then only what was written meanwhile is left to do.
  syncDatabase();
  database.pragma('wal_checkpoint(RESTART)');
}
