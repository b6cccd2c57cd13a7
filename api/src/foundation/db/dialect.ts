import { type RawBuilder, sql, SqliteAdapter } from 'kysely';
import { isSqliteDuplicate } from '#api/foundation/db/sqlite/sqlite-error.ts';
import type { Db } from './schema.ts';

/** Whether a database is SQLite. Otherwise it is PostgreSQL. */
export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

/** The time of the database in epoch milliseconds, for what several servers compare: their own clocks may differ. */
export function databaseNow(db: Db): RawBuilder<number> {
  return isSqlite(db)
    ? sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
    : sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`;
}

/** Whether SQLite or PostgreSQL refused a row because of a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return isSqliteDuplicate(error) || (error instanceof Error && 'code' in error && error.code === '23505');
}

/** Awaits a statement, and gives `value` instead when a unique index refused it; every other error is passed on. */
export async function insteadOfDuplicate<Result, const Value>(
  statement: Promise<Result>,
  value: Value,
): Promise<Result | Value> {
  try {
    return await statement;
  } catch (error) {
    if (isUniqueViolation(error)) return value;
    throw error;
  }
}
