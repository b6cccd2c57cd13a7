import { type Compilable, type InsertResult, type RawBuilder, sql, SqliteAdapter, type UpdateResult } from 'kysely';
import { relaxed } from '#api/foundation/db/sqlite/durable-driver.ts';
import { isSqliteDuplicate } from '#api/foundation/db/sqlite/sqlite-error.ts';
import type { Db } from './schema.ts';
import { codeOf } from '#api/foundation/settings/errors.ts';

export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

/**
 * Runs a statement whose result SQLite gives while the disk still writes it. A killed process finds it written; a power
 * cut may undo it until the next commit is acknowledged. PostgreSQL acknowledges it as every other.
 */
export async function executeRelaxed<Row>(db: Db, statement: Compilable<Row>): Promise<Row[]> {
  const { rows } = await db.executeQuery(relaxed(statement.compile()));
  return rows;
}

/** Runs an insert or update, and tells whether it wrote a row. */
export async function writesRow(statement: {
  executeTakeFirst: () => Promise<InsertResult | UpdateResult | undefined>;
}): Promise<boolean> {
  const result = await statement.executeTakeFirst();
  const rows = result && ('numUpdatedRows' in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows);
  return (rows ?? 0n) > 0n;
}

/** The clock of the database, in epoch milliseconds: the clocks of several servers may differ. */
export function databaseNow(db: Db): RawBuilder<number> {
  return isSqlite(db)
    ? sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
    : sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`;
}

export async function readDatabaseNow(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ at: number }>`select ${databaseNow(db)} as at`.execute(db);
  return rows[0]?.at;
}

/**
 * Checks that the database takes writes at this moment, by one that changes nothing: without it, a transaction also
 * succeeds on a disk that takes none.
 * @throws DatabaseUnavailable when it takes none, or gives no answer in time
 */
export async function requireWritable(db: Db): Promise<void> {
  // SQLite writes no row that stays the same.
  await (isSqlite(db) ? sql`pragma user_version = 0` : sql`update pepper_check set value = value`).execute(db);
}

export function isUniqueViolation(error: unknown): boolean {
  return isSqliteDuplicate(error) || codeOf(error) === '23505';
}
