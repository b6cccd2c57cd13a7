/** Source: https://www.sqlite.org/rescode.html */
export const SQLITE_CODES = {
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  AUTH: 23,
  NOTADB: 26,
} as const;

/** The extended code of a row that a unique index refuses. */
const CONSTRAINT_UNIQUE = 2067;

/** Whether SQLite failed with one of these result codes, whatever their extension says. */
export function isSqliteError(error: unknown, codes: readonly number[]): boolean {
  return codes.includes(extendedCodeOf(error) & 0xff);
}

export function isSqliteDuplicate(error: unknown): boolean {
  return extendedCodeOf(error) === CONSTRAINT_UNIQUE;
}

/** 0, which is no error, for what SQLite did not throw. */
function extendedCodeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
}
