import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { currentRequestId } from '#api/foundation/telemetry/log.ts';
import { commits } from '#api/foundation/telemetry/metrics.ts';
import { countConnections, type PoolLoad } from '#api/foundation/telemetry/pool-metrics.ts';
import {
  asUnavailable,
  DatabaseQueueFull,
  DatabaseUnavailable,
  toUnavailable,
  isHostLost,
} from './database-unavailable.ts';

/** How long to wait for a connection, from the server or from the pool; milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * How many requests may wait for each connection. The last one still gets a connection long before `CONNECT_TIMEOUT_MS`: a change
 * of several tables keeps a connection for some 10 ms.
 */
const MAX_WAITING_PER_CONNECTION = 20;
const QUEUE_FULL_ERROR = 'Too many requests wait for a connection.';
/** How long a statement may run while a client waits for the answer; milliseconds. */
const STATEMENT_TIMEOUT_MS = 6000;
const LOCK_TIMEOUT_MS = 4000;
/**
 * How long a transaction may be idle; milliseconds. A process of ours that hangs keeps its locks no longer. No role has a
 * limit of so odd a length, so a connection with it has it from us.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_007;
/** A database server that hangs cannot enforce its own limits, so the client has one as well; milliseconds. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1000;

export const VISITOR_TIMEOUTS: pg.PoolConfig = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  query_timeout: QUERY_TIMEOUT_MS,
};

export interface PoolOptions {
  /** Called once, with a function that reads the load of the pool. */
  watchPool?: ((read: () => PoolLoad) => void) | undefined;
  /** Whether a standby will do, which can only be read and may lack what was acknowledged. */
  acceptsStandby?: boolean;
}

/**
 * Opens PostgreSQL through a pool. BIGINT values are read as numbers, because our times stay far below 2^53. What cannot be
 * used at the moment throws `DatabaseUnavailable`.
 */
export function postgres(config: pg.PoolConfig, { watchPool, acceptsStandby = false }: PoolOptions = {}): Dialect {
  const pool = createPool(config, acceptsStandby);
  const read = () => readLoad(pool);
  const endCounting = countConnections(read);
  watchPool?.(read);

  return new PostgresDialect({
    pool: {
      // Kysely would cancel statements on a connection of its own with them. Nothing here cancels any.
      options: {},
      async connect() {
        try {
          return wrapClient(await connectOrReject(pool));
        } catch (error) {
          throw asUnavailable(error);
        }
      },
      async end() {
        await pool.end();
        endCounting();
      },
    },
  });
}

async function connectOrReject(pool: pg.Pool): Promise<pg.PoolClient> {
  // Connections that are free now are still to be handed to those who wait.
  if (pool.waitingCount - pool.idleCount >= maxWaitingFor(pool)) throw new DatabaseQueueFull(QUEUE_FULL_ERROR);
  return pool.connect();
}

const maxWaitingFor = (pool: pg.Pool) => MAX_WAITING_PER_CONNECTION * pool.options.max;

const readLoad = (pool: pg.Pool): PoolLoad => ({
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  maxWaiting: maxWaitingFor(pool),
});

function createPool(config: pg.PoolConfig, acceptsStandby: boolean): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    verify: (client, done) => void requireUsable(client, acceptsStandby).then(() => done(), done),
    ...config,
    types,
  });
  // A lost connection already fails its query. Without a listener the error would end the process as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Refuses a standby; and a pooler, which may give each transaction another session: prepared statements would be mixed up,
 * and the lock of a migration would stay. It keeps the settings of a connection from PostgreSQL.
 * @throws DatabaseUnavailable
 */
async function requireUsable(client: pg.ClientBase, acceptsStandby: boolean): Promise<void> {
  const { rows } = await client.query<{ limit: string; is_read_only: string }>(
    `select current_setting('idle_in_transaction_session_timeout') as limit,
      current_setting('transaction_read_only') as is_read_only`,
  );
  const [found] = rows;
  if (found?.limit !== `${String(IDLE_IN_TRANSACTION_TIMEOUT_MS)}ms`)
    throw new DatabaseUnavailable('settings of a connection do not reach it');
  if (found.is_read_only === 'on' && !acceptsStandby) throw new DatabaseUnavailable('it takes no writes');
}

/**
 * Takes a connection out of the pool when its host no longer takes writes, or when a query had no answer in time: the
 * answer could still arrive, as if it were the answer to the next query.
 */
function wrapClient(client: pg.PoolClient): PostgresPoolClient {
  let isLost = false;

  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (isLost) throw new DatabaseUnavailable('The connection cannot be used any more.');
    try {
      return await measureCommit(sql, () => client.query(describeQuery(sql, parameters)));
    } catch (error) {
      isLost = isHostLost(error);
      throw toUnavailable(error);
    }
  };
  return {
    // Kysely also calls `query` with a cursor, for streams. Nothing here reads streams.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isLost),
  };
}

function measureCommit<Result>(sql: string, query: () => Promise<Result>): Promise<Result> {
  if (sql !== 'commit') return query();

  const stop = commits.startTimer();
  return query().finally(stop);
}

/** A read that waits for no lock, and whose columns a migration beside it does not change: it names each of them. */
const PREPARABLE_PATTERN = /^(?!.*\bfor update\b)(?!.*(?:\.\*|(?:\bselect|\bdistinct|[,)])\s*\*))\s*select\b/is;

/** Lists of different lengths make ever more statements. Those beyond so many are planned each time. */
const MAX_PREPARED = 200;

const names = new Map<string, string>();

/**
 * Prepares reads, which PostgreSQL would parse and plan each time for longer than they take. What changes something keeps
 * the name of its request in front: only it can wait for a lock, and is looked for then.
 */
function describeQuery(sql: string, parameters: readonly unknown[]): pg.QueryConfig {
  const values = [...parameters];
  let name = names.get(sql);
  if (name === undefined && names.size < MAX_PREPARED && values.length > 0 && PREPARABLE_PATTERN.test(sql)) {
    name = `read_${names.size}`;
    names.set(sql, name);
  }
  return name === undefined ? { text: nameRequest(sql), values } : { name, text: sql, values };
}

/** The log and the activity of the server show it. An id has hexadecimal digits and hyphens alone. */
function nameRequest(sql: string): string {
  const id = currentRequestId();
  return id === undefined ? sql : `/* req:${id} */ ${sql}`;
}
