import { isSqliteDuplicate } from './sqlite/sqlite-error.ts';

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
