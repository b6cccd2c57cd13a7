import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CamelCasePlugin, type Dialect, Kysely, type Logger } from 'kysely';
import { EnvError } from '#api/foundation/settings/env.ts';
import { sqlite, type SqliteOptions } from '#api/foundation/db/sqlite/sqlite.ts';
import { isSqliteError, SQLITE_CODES } from '#api/foundation/db/sqlite/sqlite-error.ts';
import { makePrivate, prepareDataDir } from './data-dir.ts';
import { type PoolOptions, postgres, VISITOR_TIMEOUTS } from './postgres.ts';
import type { Database, Db } from './schema.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { codeOf, messageOf } from '#api/foundation/settings/errors.ts';

export const SQLITE_FILE = 'app.sqlite';

export interface DbSettings extends SqliteOptions, PoolOptions {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Whether statements have time limits. Migrations and operators' commands have none. */
  hasTimeouts?: boolean;
  poolSize?: number | undefined;
}

/** Opens the database that the settings name: PostgreSQL where there is a URL, else a file in the data folder. */
export function openDb({ databaseUrl, dataDir, hasTimeouts = true, poolSize, ...options }: DbSettings): Db {
  if (databaseUrl !== undefined)
    return withDialect(
      postgres(
        { ...(hasTimeouts && VISITOR_TIMEOUTS), connectionString: databaseUrl, max: poolSize },
        { acceptsStandby: !hasTimeouts, ...options },
      ),
    );

  prepareDataDir(dataDir);
  const file = findSqliteFile(dataDir);
  makePrivate(file);
  return withDialect(sqlite(file, options));
}

/**
 * The path of the SQLite database, which may not exist yet.
 * @throws EnvError when a symbolic link leads nowhere, or the file has a second name (hard link): each would have a log of
 * its own, and overwrite what the other one wrote
 */
export function findSqliteFile(dataDir: string): string {
  const file = locateSqliteFile(dataDir);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() === true && found.nlink > 1)
    throw new EnvError(
      `DATA_DIR: ${join(dataDir, SQLITE_FILE)} has ${String(found.nlink)} names (hard links), and would have a log under each; remove the others`,
    );
  return file;
}

/** The same, also with a second name. SQLite keeps the log beside the file that a symbolic link leads to. */
export function locateSqliteFile(dataDir: string): string {
  const named = join(dataDir, SQLITE_FILE);
  const entry = lstatSync(named, { throwIfNoEntry: false });
  return entry?.isSymbolicLink() === true ? resolveLink(named) : named;
}

function resolveLink(link: string): string {
  try {
    return realpathSync(link);
  } catch (error) {
    throw new EnvError(`DATA_DIR: ${link} leads nowhere (${messageOf(error)})`, {
      cause: error,
    });
  }
}

/** Names are snake_case in the database and camelCase in the code. */
export function withDialect(dialect: Dialect, log?: Logger): Db {
  return new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin()], ...(log && { log }) });
}

/** Codes of SQLite and PostgreSQL whose message is enough for an operator, without a stack. */
const SQLITE_SETTINGS_ERRORS = [
  SQLITE_CODES.NOTADB,
  SQLITE_CODES.CORRUPT,
  SQLITE_CODES.CANTOPEN,
  SQLITE_CODES.READONLY,
  SQLITE_CODES.FULL,
  SQLITE_CODES.IOERR,
  SQLITE_CODES.PERM,
  SQLITE_CODES.AUTH,
];
const POSTGRES_INSUFFICIENT_PRIVILEGE = '42501';
/** What to do about failures of a connection that do not say it themselves. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /settings of a connection|startup parameter/,
    'name PostgreSQL itself, not a pooler such as PgBouncer; each server has its own pool, DATABASE_POOL',
  ],
  [
    /certificate/,
    'give the address sslmode=verify-full&sslrootcert=<file of your authority>, and a host that the certificate is for',
  ],
];
const NEWER_MIGRATION_PATTERN = /previously executed migration (\S+) is missing/;

/** Makes one sentence about a setting of an error that prevents opening the database; every other one stays as it is. */
export function describeStartError(error: unknown, databaseUrl: string | undefined, dataDir: string): unknown {
  if (error instanceof EnvError) return error;

  const subject = databaseUrl === undefined ? `DATA_DIR: the database in ${dataDir}` : 'DATABASE_URL: the database';

  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    const [, migration] = NEWER_MIGRATION_PATTERN.exec(reason.message) ?? [];
    if (migration !== undefined)
      return new EnvError(
        `${subject} was made by a newer version (${migration}); start that version, or restore a backup`,
        { cause: error },
      );

    const code = codeOf(reason);
    if (
      reason instanceof DatabaseUnavailable ||
      isSqliteError(reason, SQLITE_SETTINGS_ERRORS) ||
      code === POSTGRES_INSUFFICIENT_PRIVILEGE
    ) {
      const said = reason.message || code;
      const advice = ADVICE.find(([known]) => known.test(said))?.[1];
      return new EnvError([`${subject} cannot be used (${said})`, advice].filter(Boolean).join('; '), { cause: error });
    }
  }
  return error;
}
