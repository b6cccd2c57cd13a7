import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { currentRequestId } from '#api/telemetry/current-request.ts';
import { commits } from '#api/telemetry/metrics.ts';
import { watchPool } from '#api/telemetry/pool-metrics.ts';
import { DatabaseUnavailable, describeUnwell } from './database-unavailable.ts';

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
 * Opens PostgreSQL through a pool. BIGINT values are read as numbers, because our times stay far below 2^53. Errors
 * that mean "cannot be used at the moment" are thrown as `DatabaseUnavailable`.
 * @param config settings of the pool; with `PROMPT` where visitors wait
 */
export function postgres(config: pg.PoolConfig): Dialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    ...config,
    types,
  });
  // A lost connection already fails its query. Without a listener the error would end the process as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const endWatching = watchPool(pool);

  return new PostgresDialect({
    pool: {
      connect: () => pool.connect().then(withoutStalled, throwUnwell),
      end: () => pool.end().finally(endWatching),
    },
  });
}

/**
 * Takes a connection out of the pool when a query had no answer in time: the answer could still arrive, as if it were
 * the answer to the next query.
 */
function withoutStalled(client: pg.PoolClient): PostgresPoolClient {
  let isStalled = false;

  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (isStalled) throw new DatabaseUnavailable('The connection does not answer.');
    try {
      return await measured(sql, () => client.query(nameRequest(sql), [...parameters]));
    } catch (error) {
      isStalled = error instanceof Error && error.message === 'Query read timeout';
      return throwUnwell(error);
    }
  };
  return {
    // Kysely also calls `query` with a cursor, for streams. Nothing here reads streams.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isStalled),
  };
}

/** Measures a query if it is a commit. */
function measured<Result>(sql: string, query: () => Promise<Result>): Promise<Result> {
  if (sql !== 'commit') return query();

  const stop = commits.startTimer();
  return query().finally(stop);
}

/**
 * Names the request in its statement, so that the log and the activity of the server show it. A comment in front changes no
 * plan: statements without a name are parsed each time. An id has hexadecimal digits and hyphens alone.
 */
function nameRequest(sql: string): string {
  const id = currentRequestId();
  return id === undefined ? sql : `/* req:${id} */ ${sql}`;
}

function throwUnwell(error: unknown): never {
  throw describeUnwell(error);
}
