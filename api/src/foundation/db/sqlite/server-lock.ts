import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EnvError } from '#api/foundation/settings/env.ts';
import { makePrivate } from '#api/foundation/db/data-dir.ts';
import { isSqliteBusy } from '#api/foundation/db/database-unavailable.ts';
import { locateSqliteFile } from '#api/foundation/db/open-db.ts';

const LOCK_FILE = 'server.lock';

/**
 * Keeps other servers from a data folder and its database, even when two reach it through different folders. The system
 * releases the lock when the process ends, in whatever way; a file with a process id would stay behind.
 * @returns releases the lock; keep a reference, because a lock that is garbage-collected is lost
 * @throws EnvError when another server has the lock
 */
export function takeServerLock(dataDir: string): () => void {
  const path = join(dirname(locateSqliteFile(dataDir)), LOCK_FILE);
  makePrivate(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written to this file, so it needs no journal on the disk.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (!isSqliteBusy(error)) throw error;
    throw new EnvError(
      `DATA_DIR: another server works with ${dataDir}; stop it first, or give this one a folder of its own`,
    );
  }
  return () => lock.close();
}
