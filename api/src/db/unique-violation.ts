/** Whether a database refused a row because another one has the same value, on SQLite or PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === '23505')
  );
}

/** Gives a value of one's own where a statement is refused for that reason; every other error is passed on. */
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
