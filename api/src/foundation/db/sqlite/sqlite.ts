import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Dialect } from 'kysely';
import { EnvError } from '#api/foundation/settings/env.ts';
import { startBackgroundCheckpointer } from './background-checkpointer.ts';
import { DurableDriver } from './durable-driver.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';

/** How long opening the database may wait for other programs; milliseconds. No visitor waits for it. */
const OPENING_TIMEOUT_MS = 5000;
/** SQLite's page cache: enough for the upper levels of every index over millions of rows. */
const CACHE_KB = 65_536;
const IN_MEMORY = ':memory:';

export interface SqliteOptions {
  /** The path of the built `checkpoint-worker.ts`. Without it SQLite checkpoints within commits. */
  checkpointWorker?: string | undefined;
  /** Called when the log did not reach the disk, before any request learns of it: what was written may be lost. */
  onDiskFailure?: ((error: unknown) => void) | undefined;
  /** Called when something works worse than it should, but goes on. */
  warn?: ((error: Error) => void) | undefined;
}

/**
 * Opens SQLite in this process. Acknowledged rows survive a power cut.
 * `synchronous = FULL` would promise that too, but stops the whole process while the disk writes. With NORMAL the log
 * is written completely and in order, and here each answer waits until the log is on the disk.
 * Source: https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function sqlite(
  file: string,
  { checkpointWorker, onDiskFailure, warn = () => undefined }: SqliteOptions = {},
): Dialect {
  const database = new DatabaseSync(file, { timeout: OPENING_TIMEOUT_MS });
  if (file === IN_MEMORY) return durable(database, undefined);

  database.exec(`pragma cache_size = ${-CACHE_KB}`);
  const log = createGroupCommit(() => openLog(`${file}-wal`), onDiskFailure);
  return durable(
    database,
    checkpointWorker === undefined ? log : startBackgroundCheckpointer(database, log, checkpointWorker, warn),
  );
}

/** The log exists from the first write until the last connection closes. */
function openLog(path: string): Promise<FileHandle | undefined> {
  return existsSync(path) ? open(path, 'r+') : Promise.resolve(undefined);
}

/**
 * @param log undefined for a database in memory
 * @throws EnvError when SQLite cannot keep a log (WAL), on which all durability here rests
 */
export function durable(database: DatabaseSync, log: GroupCommit | undefined): Dialect {
  const file = database.location();
  const mode = database.prepare('pragma journal_mode = WAL').get()?.['journal_mode'];
  if (mode !== 'wal' && file !== null) {
    throw new EnvError(
      `DATA_DIR: the journal mode of ${file} is ${String(mode)} and cannot be made WAL; put it on a local disk that can be written, or use DATABASE_URL`,
    );
  }
  database.exec('pragma synchronous = NORMAL; pragma foreign_keys = ON');
  // From now on `durable-driver.ts` waits for locks, without blocking the process.
  database.exec('pragma busy_timeout = 0');
  return {
    createAdapter: () => new DurableAdapter(),
    createDriver: () => new DurableDriver(database, log),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new DurableQueryCompiler(),
  };
}

class DurableQueryCompiler extends SqliteQueryCompiler {
  /** Kysely would store null where a row of several has no value for a column that others have. */
  override visitDefaultInsertValue(): void {
    throw new Error('SQLite has no defaults for some rows of an insert alone: give all rows the same columns.');
  }
}

class DurableAdapter extends SqliteAdapter {
  /** Kysely would hand the one connection to one query after the other; the driver does, also within one. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite rolls back changes of the schema with their transaction. Kysely would migrate without one. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
