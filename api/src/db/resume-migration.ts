import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Migration,
} from 'kysely';

/**
 * SQLite's errors for a statement that has been done before. Earlier versions ran each statement of a migration by
 * itself on SQLite, so a killed process left the first part of one.
 */
const DONE_BEFORE =
  /^(table|index) \w+ already exists$|^duplicate column name: \w+$|^no such table: step_link$|^UNIQUE constraint failed: (app|advertiser|step_link)\./;

/** Whether a migration failed because a part of it had been done already. */
export function isHalfDone(error: unknown): boolean {
  return error instanceof Error && DONE_BEFORE.test(error.message);
}

/** The same migration, which skips the statements that have been done before. */
export function resuming(migration: Migration): Migration {
  return { up: (db) => migration.up(passingOver(db)) };
}

/**
 * Runs each statement within the transaction of `db`, and skips those that were done before. On SQLite a failed
 * statement does not end the transaction.
 */
function passingOver(db: Kysely<unknown>): Kysely<unknown> {
  async function execute<Row>(query: CompiledQuery) {
    try {
      return await db.executeQuery<Row>(query);
    } catch (error) {
      if (!isHalfDone(error)) throw error;
      return { rows: [] };
    }
  }
  const connection: DatabaseConnection = {
    executeQuery: execute,
    streamQuery() {
      throw new Error('A migration reads no streams.');
    },
  };

  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => Object.assign(new DummyDriver(), { acquireConnection: () => Promise.resolve(connection) }),
      createIntrospector: (own) => new SqliteIntrospector(own),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
  });
}
