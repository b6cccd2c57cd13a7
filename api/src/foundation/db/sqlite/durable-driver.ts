import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { commits } from '#api/foundation/telemetry/metrics.ts';
import { DatabaseUnavailable, toUnavailable, isSqliteBusy } from '#api/foundation/db/database-unavailable.ts';
import type { GroupCommit } from './group-commit.ts';

const MAX_PREPARED = 500;

interface Statement {
  statement: StatementSync;
  hasRows: boolean;
}

/** How long to wait for another program's write lock, and the longest pause between two polls; milliseconds. */
const BUSY_TIMEOUT_MS = 2000;
const MAX_POLL_INTERVAL_MS = 50;

/**
 * A commit, or a single statement, is acknowledged when it is on the disk. While it waits for the disk, other requests
 * go on, and one write to the disk serves all of their commits. A read of rows that may not be on the disk yet waits
 * for them as well, so no answer rests on data that could still be lost. One kind of statement does not wait (`relaxed`).
 * SQLite itself never waits for a lock here, because that would stop the whole process. While another program writes,
 * one request polls its lock on behalf of all that want to write, and reads go on.
 */
export class DurableDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #log: GroupCommit | undefined;
  readonly #statements = new Map<string, Statement>();
  /** The queue for the one SQLite connection. */
  readonly #mutex = createMutex();
  /** The connections that have their turn. */
  readonly #connections = new WeakSet<DatabaseConnection>();
  /** The poll of the other program's lock, while there is one. */
  #polling: Promise<boolean> | undefined;

  constructor(database: DatabaseSync, log: GroupCommit | undefined) {
    this.#database = database;
    this.#log = log;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.#execute(connection, query),
      streamQuery() {
        throw new Error('SQLite is not read in streams.');
      },
    };
    await this.#acquire(connection);
    return connection;
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#release(connection);
    return Promise.resolve();
  }

  /** A transaction that may write takes the write lock at once. Taken later, it could be refused half-way. */
  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** A connection that has given up its turn has committed already; only the wait for the disk failed. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has rolled back by itself after some failures, such as a full disk.
    if (this.#connections.has(connection) && this.#database.isTransaction)
      await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    await this.#log?.close();
    this.#database.close();
  }

  async #execute<Row>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await this.#executeInTurn<Row>(connection, query);
    if (!this.#log || this.#database.isTransaction) return result;

    const onDisk = isRead(query) ? this.#log.pending() : measureCommit(this.#log.sync());
    // When the disk fails, the next commit says so.
    if (isRelaxed(query)) onDisk?.catch(() => undefined);
    else if (onDisk) {
      this.#release(connection);
      await onDisk;
    }
    return result;
  }

  async #executeInTurn<Row>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    for (const until = performance.now() + BUSY_TIMEOUT_MS; ;) {
      await this.#acquire(connection);
      try {
        return this.#run<Row>(query);
      } catch (error) {
        if (!isSqliteBusy(error) || this.#database.isTransaction) throw toUnavailable(error);

        this.#release(connection);
        const isFree = performance.now() < until && (await (this.#polling ??= this.#pollWriteLock()));
        if (!isFree)
          throw new DatabaseUnavailable('Another program keeps the database from being written.', { cause: error });
      }
    }
  }

  /** Takes the turn again when the connection gave it up after its last statement. */
  async #acquire(connection: DatabaseConnection): Promise<void> {
    if (this.#connections.has(connection)) return;

    await this.#mutex.acquire();
    this.#connections.add(connection);
  }

  #release(connection: DatabaseConnection): void {
    if (this.#connections.delete(connection)) this.#mutex.release();
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, hasRows } = this.#prepare(sql);
    const values = (parameters as readonly SQLInputValue[]).map(asInteger);
    if (hasRows) return { rows: statement.all(...values) as Row[] };

    // Not the last row's id: after a conflict that is another row.
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  }

  /** Preparing a statement takes as long as running it, and there are few different ones. */
  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;

    // Lists of different lengths make ever more statements. After clearing, those still in use are prepared again.
    if (this.#statements.size >= MAX_PREPARED) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** Polls until no other program holds the write lock; false when the time is over. */
  async #pollWriteLock(): Promise<boolean> {
    const until = performance.now() + BUSY_TIMEOUT_MS;
    try {
      for (let pause = 1; performance.now() < until; pause = Math.min(2 * pause, MAX_POLL_INTERVAL_MS)) {
        await wait(pause);
        if (this.#canWrite()) return true;
      }
      return false;
    } finally {
      this.#polling = undefined;
    }
  }

  #canWrite(): boolean {
    if (this.#database.isTransaction) return true;
    try {
      this.#database.exec('begin immediate; rollback');
      return true;
    } catch (error) {
      if (isSqliteBusy(error)) return false;
      throw toUnavailable(error);
    }
  }
}

/** Node binds every number as a real: `7 / 2` would be 3.5, and a text of 3 would be "3.0". */
function asInteger(value: SQLInputValue): SQLInputValue {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function measureCommit(sync: Promise<void>): Promise<void> {
  const stop = commits.startTimer();
  return sync.finally(() => void stop());
}

/** Lets a query have its result while the disk still writes it. */
export function relaxed<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  const marked: CompiledQuery<Row> & { isRelaxed: true } = { ...query, isRelaxed: true };
  return marked;
}

function isRelaxed(query: CompiledQuery): boolean {
  return 'isRelaxed' in query;
}

/** A select may also be raw SQL. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql);
}

/** Lets one caller at a time through, in the order in which they came. */
function createMutex() {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  return {
    acquire(): Promise<void> {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));

      isTaken = true;
      return Promise.resolve();
    },
    release(): void {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}
