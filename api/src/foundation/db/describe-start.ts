import { EnvError } from '#api/foundation/settings/env.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { isSqliteError, SQLITE } from './sqlite/sqlite-error.ts';

/** Codes of SQLite and PostgreSQL whose message is enough for the person who wrote the settings; no stack is needed. */
const SQLITE_SAYS_IT_ALL = [
  SQLITE.NOTADB,
  SQLITE.CORRUPT,
  SQLITE.CANTOPEN,
  SQLITE.READONLY,
  SQLITE.FULL,
  SQLITE.IOERR,
  SQLITE.PERM,
  SQLITE.AUTH,
];
const SAYS_IT_ALL = /^(28...|3D...|42501|08...|ERR_INVALID_URL|ERR_INVALID_ARG_TYPE)$/;
const NEWER = /previously executed migration (\S+) is missing/;

/**
 * Turns an error that prevents opening the database into an `EnvError` with one sentence, which begins with the name of
 * the setting; every other error stays as it is.
 */
export function describeStart(error: unknown, databaseUrl: string | undefined, dataDir: string): unknown {
  if (error instanceof EnvError) return error;

  const subject = databaseUrl === undefined ? `DATA_DIR: the database in ${dataDir}` : 'DATABASE_URL: the database';

  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    const [, migration] = NEWER.exec(reason.message) ?? [];
    if (migration !== undefined)
      return new EnvError(
        `${subject} was made by a newer version (${migration}); start that version, or restore a backup`,
        { cause: error },
      );

    const code = 'code' in reason ? String(reason.code) : '';
    if (reason instanceof DatabaseUnavailable || isSqliteError(reason, SQLITE_SAYS_IT_ALL) || SAYS_IT_ALL.test(code)) {
      return new EnvError(`${subject} cannot be used (${reason.message || code})`, { cause: error });
    }
  }
  return error;
}
