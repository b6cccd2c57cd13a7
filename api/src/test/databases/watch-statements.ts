import type { QueryExecutor } from 'kysely';
import type { Db } from '#api/foundation/db/schema.ts';

/** Returns a connection, and lets a test fail its statements or act between two of them. A statement is named by its SQL. */
export function watchStatements(db: Db) {
  const failures: { sql: RegExp; error: Error }[] = [];
  const actions: { sql: RegExp; act: () => Promise<unknown> }[] = [];

  /** Not a plugin: those do not see statements that are built once and executed often. */
  function watch(executor: QueryExecutor): QueryExecutor {
    const execute = executor.executeQuery.bind(executor);
    const connect = executor.withConnectionProvider.bind(executor);
    const watching: Pick<QueryExecutor, 'executeQuery' | 'withConnectionProvider'> = {
      executeQuery: async (query, options) => {
        const failing = failures.find((failure) => failure.sql.test(query.sql));
        if (failing) {
          failures.splice(failures.indexOf(failing), 1);
          throw failing.error;
        }

        const result = await execute(query, options);
        const acting = actions.findIndex((action) => action.sql.test(query.sql));
        if (acting >= 0) await actions.splice(acting, 1)[0]?.act();
        return result;
      },
      // Of a transaction.
      withConnectionProvider: (provider) => watch(connect(provider)),
    };
    return Object.assign(executor, watching);
  }

  // A connection of its own on the same database.
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => Promise.resolve(result),
  });
  watch(watched.getExecutor());

  return {
    db: watched,
    /** The next such statement is not sent, and fails. */
    failNext: (sql: RegExp, error: Error) => void failures.push({ sql, error }),
    /** Acts once the next such statement has been executed, before its result is used. */
    afterNext: (sql: RegExp, act: () => Promise<unknown>) => void actions.push({ sql, act }),
  };
}

/** The statement that reads the snapshot of a device. */
export const SNAPSHOT = /FROM app LEFT JOIN device/;
