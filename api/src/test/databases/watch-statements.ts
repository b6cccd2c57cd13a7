import type { QueryId } from 'kysely';
import type { Db } from '#api/foundation/db/schema.ts';

/** Returns a connection, and lets a test fail its statements or act between two of them. A statement is named by its SQL. */
export function watchStatements(db: Db) {
  const failures: { sql: RegExp; error: Error }[] = [];
  const actions: { sql: RegExp; act: () => Promise<unknown> }[] = [];
  const sqlOf = new WeakMap<QueryId, string>();

  const watched = db.withPlugin({
    transformQuery({ node, queryId }) {
      const { sql } = db.getExecutor().compileQuery(node, queryId);
      const failing = failures.find((failure) => failure.sql.test(sql));
      if (failing) {
        failures.splice(failures.indexOf(failing), 1);
        throw failing.error;
      }

      sqlOf.set(queryId, sql);
      return node;
    },
    async transformResult({ queryId, result }) {
      const sql = sqlOf.get(queryId) ?? '';
      const acting = actions.findIndex((action) => action.sql.test(sql));
      if (acting >= 0) await actions.splice(acting, 1)[0]?.act();
      return result;
    },
  });

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
