import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseUnavailable, describeUnwell } from './database-unavailable.ts';

/** How long a connection may take to come, be it from the server or from those who have one; milliseconds. */
const CONNECT_MS = 10_000;
/** How long a statement may take where somebody waits for the answer. */
const STATEMENT_MS = 6000;
const LOCK_MS = 4000;
/** How long a transaction may do nothing: a process of ours that was stopped keeps its locks no longer. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** A server that was stopped keeps no time itself, so we count as well. */
const ANSWER_MS = STATEMENT_MS + 1000;

/** No statement keeps a visitor waiting longer than this. */
export const PROMPT: pg.PoolConfig = {
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  query_timeout: ANSWER_MS,
};

/**
 * PostgreSQL through a pool. Times are BIGINT and stay far below 2^53, so they are read as numbers.
 * What says that the server is unwell is thrown as DatabaseUnavailable.
 * @param config `PROMPT` where visitors wait; a migration or an operator's question may take longer
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
  // A lost connection fails the query that was on it, which is said there; it must not end the process as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  return new PostgresDialect({
    pool: {
      connect: () => pool.connect().then(withoutStalled, throwUnwell),
      end: () => pool.end(),
    },
  });
}

/** A connection whose answer did not come may still get it, in the middle of somebody else's: it is not used again. */
function withoutStalled(client: pg.PoolClient): PostgresPoolClient {
  let isStalled = false;

  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (isStalled) throw new DatabaseUnavailable('The connection does not answer.');
    try {
      return await client.query(sql, [...parameters]);
    } catch (error) {
      isStalled = error instanceof Error && error.message === 'Query read timeout';
      return throwUnwell(error);
    }
  };
  return {
    // Nobody here reads an answer in pieces, which would be the other way to call it.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isStalled),
  };
}

function throwUnwell(error: unknown): never {
  throw describeUnwell(error);
}
