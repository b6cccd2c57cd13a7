import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import SqliteDatabase from 'better-sqlite3';
import { SqliteAdapter, SqliteDialect, type Dialect, type DialectAdapter, type Driver } from 'kysely';
import { EnvError } from '../env.ts';
import { startBackgroundCheckpointer } from './background-checkpointer.ts';
import { DurableDriver } from './durable-driver.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';

/** How long to wait for other programs while the database is being opened, when nobody waits for us; milliseconds. */
const OPENING_TIMEOUT_MS = 5000;
/** Pages kept in memory: enough for the upper levels of every index over millions of rows. */
const CACHE_KB = 65_536;
const IN_MEMORY = ':memory:';

export interface SqliteOptions {
  /** The built `checkpoint-worker.ts`, where a server is to be kept from waiting for the disk. */
  checkpointWorker?: string | undefined;
  /** Hears, before anybody is told anything, that what was written may be lost. */
  onDiskFailure?: ((error: unknown) => void) | undefined;
  /** Hears of what goes on, though worse than it should. */
  warn?: ((error: Error) => void) | undefined;
}

/**
 * SQLite in this process, whose acknowledged rows survive a power cut.
 * `synchronous = FULL` promises that as well, but stops the whole process while the disk writes. At NORMAL the log is
 * written whole and in order, and here an answer waits, beside the others, until the log is on the disk.
 * Source: https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function sqlite(
  file: string,
  { checkpointWorker, onDiskFailure, warn = () => undefined }: SqliteOptions = {},
): Dialect {
  const database = new SqliteDatabase(file, { timeout: OPENING_TIMEOUT_MS });
  if (file === IN_MEMORY) return durable(database, undefined);

  database.pragma(`cache_size = ${-CACHE_KB}`);
  const log = createGroupCommit(() => openLog(`${file}-wal`), onDiskFailure);
  return durable(
    database,
    checkpointWorker === undefined ? log : startBackgroundCheckpointer(database, log, checkpointWorker, warn),
  );
}

/** The log is there from the first write until the last connection closes. */
function openLog(path: string): Promise<FileHandle | undefined> {
  return existsSync(path) ? open(path, 'r+') : Promise.resolve(undefined);
}

/**
 * @param log tells when commits are on the disk; undefined where there is none
 * @throws EnvError where SQLite cannot keep a log, on which every promise here rests
 */
export function durable(database: SqliteDatabase.Database, log: GroupCommit | undefined): Dialect {
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal' && !database.memory) {
    throw new EnvError(
      `DATA_DIR: the journal mode of ${database.name} is ${String(mode)} and cannot be made WAL; put it on a local disk that can be written, or use DATABASE_URL`,
    );
  }
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  // From now on whoever finds the database taken waits beside the others (`durable-driver.ts`).
  database.pragma('busy_timeout = 0');
  return new DurableDialect(database, log);
}

class DurableDialect extends SqliteDialect {
  readonly #database: SqliteDatabase.Database;
  readonly #log: GroupCommit | undefined;

  constructor(database: SqliteDatabase.Database, log: GroupCommit | undefined) {
    super({ database });
    this.#database = database;
    this.#log = log;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }

  override createDriver(): Driver {
    return new DurableDriver(this.#database, this.#log);
  }
}

/** SQLite takes a schema back with the transaction that changed it; Kysely would migrate without one. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
