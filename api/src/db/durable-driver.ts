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
import { DatabaseUnavailable, describeUnwell, isSqliteBusy } from './database-unavailable.ts';
import type { GroupCommit } from './group-commit.ts';

const MOST_PREPARED = 500;

/** How long to wait for another program to let go of the database, and how often to look; milliseconds. */
const PATIENCE_MS = 2000;
const LONGEST_PAUSE_MS = 50;

/**
 * A commit, or a statement by itself, is done when it is on the disk. While it waits for that, others go on, and their
 * commits get there together; whoever reads what may not be there yet waits as well, so nobody is told what could be lost.
 *
 * SQLite itself never waits here, since that would stop the process. While another program writes, one of ours looks
 * again and again for all who want to write, and reading goes on.
 */
export class DurableDriver extends SqliteDriver {
  readonly #database: SqliteDatabase.Database;
  readonly #log: GroupCommit | undefined;
  /** Those who have their turn. */
  readonly #connections = new WeakSet<DatabaseConnection>();
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

  /** One that may write takes its place as the writer at once: later it could be refused half-way. */
  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'));
  }

  /** Without the connection the transaction is committed already: it was only the disk that failed. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Some failures, such as a full disk, have taken it back already.
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

    const onDisk = isRead(query) ? this.#log.pending() : this.#log.sync();
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

  /** The turn may have been given on after the last statement. */
  async #takeTurn(connection: DatabaseConnection): Promise<void> {
    if (this.#connections.has(connection)) return;

    await super.acquireConnection();
    this.#connections.add(connection);
  }

  /** Waits until the database can be written; false when that took too long. */
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

/** Also a select that was written by hand. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql);
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
