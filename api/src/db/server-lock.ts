import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { EnvError } from '../env.ts';
import { isSqliteBusy } from './database-unavailable.ts';
import { makePrivate } from './data-dir.ts';
import { findSqliteFile } from './open-db.ts';

const LOCK_FILE = 'server.lock';

/**
 * Sees to it that one server works with a database file at a time, by whichever folder it gets there. Operators' commands need no such lock.
 * The system takes the lock back when the process ends, however it ends; a file that says who runs would outlive it.
 * @returns what gives the lock up; whoever forgets it may lose the lock
 * @throws EnvError when another server has it, or the file cannot be told from others
 */
export function takeServerLock(dataDir: string): () => void {
  const path = join(dirname(findSqliteFile(dataDir)), LOCK_FILE);
  makePrivate(path);
  const lock = new SqliteDatabase(path, { timeout: 0 });
  try {
    // Nothing is ever written there, so it needs no journal; only the lock counts.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (!isSqliteBusy(error)) throw error;
    throw new EnvError(
      `DATA_DIR: another server works with ${dataDir}; stop it first, or give this one a folder of its own`,
    );
  }
  return () => void lock.close();
}
