/** Whether a database refused a row because another one has the same value, on SQLite or PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === '23505')
  );
}
