import { setTimeout as wait } from 'node:timers/promises';
import type SqliteDatabase from 'better-sqlite3';
import {
  CompiledQuery,
  SqliteDriver,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase as KyselySqliteDatabase,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import { commits } from '#api/telemetry/metrics.ts';
import { DatabaseUnavailable, describeUnwell, isSqliteBusy } from './database-unavailable.ts';
import type { GroupCommit } from './group-commit.ts';

const MOST_PREPARED = 500;

/**
 * How long to wait while another program writes to the database, and the longest pause between two looks; milliseconds.
 */
const PATIENCE_MS = 2000;
const LONGEST_PAUSE_MS = 50;

/**
 * A commit, or a single statement, is acknowledged when it is on the disk. While it waits for the disk, other requests
 * go on, and one write to the disk serves all of their commits. A read of rows that may not be on the disk yet waits
 * for them as well, so no answer rests on data that could still be lost.
 * SQLite itself never waits for a lock here, because that would stop the whole process. While another program writes,
 * one request checks again and again for all that want to write, and reads go on.
 */
export class DurableDriver extends SqliteDriver {
  readonly #database: SqliteDatabase.Database;
  readonly #log: GroupCommit | undefined;
  /** The connections that have their turn at the one SQLite connection. */
  readonly #connections = new WeakSet<DatabaseConnection>();
  /** The check for the other program's lock that is under way, if there is one. */
  #looking: Promise<boolean> | undefined;

  constructor(database: SqliteDatabase.Database, log: GroupCommit | undefined) {
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

  /** A transaction that may write takes the write lock at once. Taken later, it could be refused half-way. */
  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'));
  }

  /** A connection that has given up its turn has committed already; only the wait for the disk failed. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has rolled back by itself after some failures, such as a full disk.
    if (this.#connections.has(connection) && this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  override async destroy(): Promise<void> {
    await this.#log?.close();
    await super.destroy();
  }

  async #execute<Row>(
    inner: DatabaseConnection,
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    const result = await this.#executeInTurn<Row>(inner, connection, query);
    if (!this.#log || this.#database.inTransaction) return result;

    const onDisk = isRead(query) ? this.#log.pending() : measured(this.#log.sync());
    if (onDisk) {
      await this.releaseConnection(connection);
      await onDisk;
    }
    return result;
  }

  async #executeInTurn<Row>(
    inner: DatabaseConnection,
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    for (const until = performance.now() + PATIENCE_MS; ;) {
      await this.#takeTurn(connection);
      try {
        return await inner.executeQuery<Row>(query);
      } catch (error) {
        if (!isSqliteBusy(error) || this.#database.inTransaction) throw describeUnwell(error);

        await this.releaseConnection(connection);
        const isFree = performance.now() < until && (await (this.#looking ??= this.#look()));
        if (!isFree)
          throw new DatabaseUnavailable('Another program keeps the database from being written.', { cause: error });
      }
    }
  }

  /** Takes the turn again when the connection gave it up after its last statement. */
  async #takeTurn(connection: DatabaseConnection): Promise<void> {
    if (this.#connections.has(connection)) return;

    await super.acquireConnection();
    this.#connections.add(connection);
  }

  /** Waits until no other program holds the write lock; false when that takes too long. */
  async #look(): Promise<boolean> {
    const until = performance.now() + PATIENCE_MS;
    try {
      for (let pause = 1; performance.now() < until; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        await wait(pause);
        if (this.#canWrite()) return true;
      }
      return false;
    } finally {
      this.#looking = undefined;
    }
  }

  #canWrite(): boolean {
    if (this.#database.inTransaction) return true;
    try {
      this.#database.exec('begin immediate; rollback');
      return true;
    } catch (error) {
      if (isSqliteBusy(error)) return false;
      throw describeUnwell(error);
    }
  }
}

/** Measures how long a commit waits for the disk. */
function measured(sync: Promise<void>): Promise<void> {
  const stop = commits.startTimer();
  return sync.finally(() => void stop());
}

/** Whether a query only reads. A select may also be raw SQL. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql);
}

/**
 * Prepares each statement once and keeps it. Preparing one takes as long as running it, and there are few different
 * ones.
 */
function preparingOnce(database: SqliteDatabase.Database): KyselySqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();

  return {
    prepare(source) {
      const known = prepared.get(source);
      if (known) return known;

      // Lists of different lengths make ever more statements. After clearing, those still in use are prepared again.
      if (prepared.size >= MOST_PREPARED) prepared.clear();
      const statement = database.prepare(source);
      prepared.set(source, statement);
      return statement;
    },
    close: () => database.close(),
  };
}
