import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { listDatabaseHosts } from '#api/foundation/settings/database-hosts.ts';
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
import { createWritableHost } from './writable-host.ts';

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
}

/**
 * Opens PostgreSQL through a pool for each of its hosts, of which the one that takes writes is used. BIGINT values are read
 * as numbers, because our times stay far below 2^53. What cannot be used at the moment throws `DatabaseUnavailable`.
 */
export function postgres(
  { connectionString = '', ...config }: pg.PoolConfig,
  { watchPool }: PoolOptions = {},
): Dialect {
  const urls = listDatabaseHosts(connectionString);
  const host = createWritableHost(urls);
  const pools = new Map(urls.map((each) => [each, createPool(each, config)]));
  const read = () => addLoads([...pools.values()]);
  const endCounting = countConnections(read);
  watchPool?.(read);

  async function connect(): Promise<PostgresPoolClient> {
    const found = await host.find();
    const failing = (describe: (error: unknown) => unknown) => (error: unknown) => {
      if (isHostLost(error)) host.forget(found);
      throw describe(error);
    };
    const client = await connectOrReject(pools.get(found) as pg.Pool).catch(failing(asUnavailable));
    return wrapClient(client, failing(toUnavailable));
  }

  return new PostgresDialect({
    pool: {
      // Kysely would cancel statements on a connection of its own with them. Nothing here cancels any.
      options: {},
      connect,
      async end() {
        await Promise.all([...pools.values()].map((pool) => pool.end()));
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

/** The load of all pools. Only that of the writable host has one, so its queue is as long as that of one. */
function addLoads(pools: readonly pg.Pool[]): PoolLoad {
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
  return {
    open: sum(({ totalCount }) => totalCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
    maxWaiting: Math.max(...pools.map(maxWaitingFor)),
  };
}

function createPool(connectionString: string, config: pg.PoolConfig): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    verify: (client, done) => void requireSessionPooling(client).then(() => done(), done),
    ...config,
    connectionString,
    types,
  });
  // A lost connection already fails its query. Without a listener the error would end the process as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Refuses a pooler, which may give each transaction another session: prepared statements would be mixed up, and the lock
 * of a migration would stay. It keeps the settings of a connection from PostgreSQL.
 * @throws DatabaseUnavailable when ours have not arrived
 */
async function requireSessionPooling(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ limit: string }>(
    `select current_setting('idle_in_transaction_session_timeout') as limit`,
  );
  if (rows[0]?.limit !== `${String(IDLE_IN_TRANSACTION_TIMEOUT_MS)}ms`)
    throw new DatabaseUnavailable('settings of a connection do not reach it');
}

/**
 * Takes a connection out of the pool when its host no longer takes writes, or when a query had no answer in time: the
 * answer could still arrive, as if it were the answer to the next query.
 */
function wrapClient(client: pg.PoolClient, fail: (error: unknown) => never): PostgresPoolClient {
  let isLost = false;

  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (isLost) throw new DatabaseUnavailable('The connection cannot be used any more.');
    try {
      return await measureCommit(sql, () => client.query(describeQuery(sql, parameters)));
    } catch (error) {
      isLost = isHostLost(error);
      return fail(error);
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
