import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import SqliteDatabase from 'better-sqlite3';
import {
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type SqliteDatabase as KyselySqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { checkpointAside } from './checkpoints.ts';
import { createLogSync, type LogSync } from './log-sync.ts';

const BUSY_TIMEOUT_MS = 5000;
const MOST_PREPARED = 500;
/** Pages kept in memory: enough for the upper levels of every index over millions of rows. */
const CACHE_KB = 65_536;
const IN_MEMORY = ':memory:';

export interface SqliteOptions {
  /** The built `checkpoint.ts`, where a server is to be kept from waiting for the disk. */
  checkpointScript?: string | undefined;
}

/**
 * SQLite in this process, whose acknowledged rows survive a power cut.
 * `synchronous = FULL` promises that as well, but stops the whole process while the disk writes. At NORMAL the log is
 * written whole and in order, and here an answer waits, beside the others, until the log is on the disk.
 * Source: https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function sqlite(file: string, { checkpointScript }: SqliteOptions = {}): Dialect {
  const database = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  if (file === IN_MEMORY) return durable(database, undefined);

  database.pragma(`cache_size = ${-CACHE_KB}`);
  const log = createLogSync(() => openLog(`${file}-wal`));
  return durable(database, checkpointScript === undefined ? log : checkpointAside(database, log, checkpointScript));
}

/** The log is there from the first write until the last connection closes. */
function openLog(path: string): Promise<FileHandle | undefined> {
  return existsSync(path) ? open(path, 'r+') : Promise.resolve(undefined);
}

/** @param log tells when commits are on the disk; undefined where there is none */
export function durable(database: SqliteDatabase.Database, log: LogSync | undefined): Dialect {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  return new DurableDialect(database, log);
}

class DurableDialect extends SqliteDialect {
  readonly #database: SqliteDatabase.Database;
  readonly #log: LogSync | undefined;

  constructor(database: SqliteDatabase.Database, log: LogSync | undefined) {
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

/**
 * A commit, or a statement by itself, is done when it is on the disk. While it waits for that, others go on, and their
 * commits get there together; whoever reads what may not be there yet waits as well, so nobody is told what could be lost.
 */
class DurableDriver extends SqliteDriver {
  readonly #database: SqliteDatabase.Database;
  readonly #log: LogSync | undefined;
  /** Those who have their turn. */
  readonly #connections = new WeakSet<DatabaseConnection>();

  constructor(database: SqliteDatabase.Database, log: LogSync | undefined) {
    super({ database: preparingOnce(database) });
    this.#database = database;
    this.#log = log;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await super.acquireConnection();
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.#execute(inner, connection, query),
      streamQuery: (query, chunkSize) => inner.streamQuery(query, chunkSize),
    };
    this.#connections.add(connection);
    return connection;
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    if (connection && this.#connections.delete(connection)) await super.releaseConnection();
  }

  /** Without the connection the transaction is committed already: it was only the disk that failed. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connections.has(connection)) await super.rollbackTransaction(connection);
  }

  override async destroy(): Promise<void> {
    await this.#log?.close();
    await super.destroy();
  }

  async #execute<Row>(inner: DatabaseConnection, connection: DatabaseConnection, query: CompiledQuery) {
    if (!this.#connections.has(connection)) {
      // It was given on, so this takes its turn again.
      await super.acquireConnection();
      this.#connections.add(connection);
    }

    const result = await inner.executeQuery<Row>(query);
    if (!this.#log || this.#database.inTransaction) return result;

    const onDisk = query.query.kind === 'SelectQueryNode' ? this.#log.pending() : this.#log.sync();
    if (onDisk) {
      await this.releaseConnection(connection);
      await onDisk;
    }
    return result;
  }
}

/** The few statements that are run again and again are prepared once each: preparing one takes as long as running it. */
function preparingOnce(database: SqliteDatabase.Database): KyselySqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();

  return {
    prepare(source) {
      const known = prepared.get(source);
      if (known) return known;

      // Lists of any length make ever new statements; those that are still in use come back by themselves.
      if (prepared.size >= MOST_PREPARED) prepared.clear();
      const statement = database.prepare(source);
      prepared.set(source, statement);
      return statement;
    },
    close: () => database.close(),
  };
}
