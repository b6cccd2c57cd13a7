import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { listDatabaseHosts } from '#api/database-hosts.ts';
import { DatabaseUnavailable, describeUnwell, isHostLost } from './database-unavailable.ts';
import { createWritableHost } from './writable-host.ts';

/** How long to wait for a connection, from the server or from the pool; milliseconds. */
const CONNECT_MS = 10_000;
/** How long a statement may run while somebody waits for the answer; milliseconds. */
const STATEMENT_MS = 6000;
const LOCK_MS = 4000;
/** How long a transaction may be idle; milliseconds. A stopped process of ours keeps its locks no longer than that. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** A database server that hangs cannot enforce its own limits, so the client has one as well; milliseconds. */
const ANSWER_MS = STATEMENT_MS + 1000;

/** Time limits for connections that serve visitors. */
export const PROMPT: pg.PoolConfig = {
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  query_timeout: ANSWER_MS,
};

/**
 * Opens PostgreSQL through a pool for each of its hosts. Only the host that takes writes is used; after a promotion it is
 * another one. BIGINT values are read as numbers, because our times stay far below 2^53. Errors that mean "cannot be used
 * at the moment" are thrown as `DatabaseUnavailable`.
 * @param config settings of the pools, with an address of one host or several; with `PROMPT` where visitors wait
 */
export function postgres({ connectionString = '', ...config }: pg.PoolConfig): Dialect {
  const urls = listDatabaseHosts(connectionString);
  const host = createWritableHost(urls);
  const pools = new Map(urls.map((each) => [each, createPool(each, config)]));

  async function connect(): Promise<PostgresPoolClient> {
    const found = await host.find();
    const lost = (error: unknown) => {
      if (isHostLost(error)) host.forget(found);
      throw describeUnwell(error);
    };
    const client = await (pools.get(found) as pg.Pool).connect().catch(lost);
    return guard(client, lost);
  }

  return new PostgresDialect({
    pool: { connect, end: async () => void (await Promise.all([...pools.values()].map((pool) => pool.end()))) },
  });
}

function createPool(connectionString: string, config: pg.PoolConfig): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
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
 * Takes a connection out of the pool when its host no longer takes writes, or when a query had no answer in time: the
 * answer could still arrive, as if it were the answer to the next query.
 * @param fail throws what the caller is told of an error
 */
function guard(client: pg.PoolClient, fail: (error: unknown) => never): PostgresPoolClient {
  let isLost = false;

  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (isLost) throw new DatabaseUnavailable('The connection cannot be used any more.');
    try {
      return await client.query(sql, [...parameters]);
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
