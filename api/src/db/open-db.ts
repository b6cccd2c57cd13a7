import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, type Dialect } from 'kysely';
import { EnvError } from '../env.ts';
import { makePrivate, prepareDataDir } from './data-dir.ts';
import { postgres, PROMPT } from './postgres.ts';
import type { Database, Db } from './schema.ts';
import { sqlite, type SqliteOptions } from './sqlite.ts';

/** The embedded database, within the data folder. */
export const SQLITE_FILE = 'app.sqlite';

interface DbSettings extends SqliteOptions {
  databaseUrl: string | undefined;
  dataDir: string;
  /** For migrations and operators, whose statements may take long. */
  isPatient?: boolean;
}

/** Opens the database of the settings: PostgreSQL where an address is given, else a file in the data folder. */
export function openDb({ databaseUrl, dataDir, isPatient = false, ...options }: DbSettings): Db {
  if (databaseUrl !== undefined)
    return withDialect(postgres({ ...(!isPatient && PROMPT), connectionString: databaseUrl }));

  prepareDataDir(dataDir);
  const file = findSqliteFile(dataDir);
  makePrivate(file);
  return withDialect(sqlite(file, options));
}

/**
 * Where the embedded database is, or will be: behind a link SQLite keeps the log beside what the link leads to.
 * A file with two names would have two logs, each of which overwrites what the other one wrote.
 * @throws EnvError when a link leads nowhere, or the file has a second name (a hard link)
 */
export function findSqliteFile(dataDir: string): string {
  const named = join(dataDir, SQLITE_FILE);
  const entry = lstatSync(named, { throwIfNoEntry: false });
  if (!entry) return named;

  const file = entry.isSymbolicLink() ? follow(named) : named;
  const found = statSync(file);
  if (found.isFile() && found.nlink > 1)
    throw new EnvError(
      `DATA_DIR: ${named} has ${String(found.nlink)} names (hard links), and would have a log under each; remove the others`,
    );
  return file;
}

function follow(link: string): string {
  try {
    return realpathSync(link);
  } catch (error) {
    throw new EnvError(`DATA_DIR: ${link} leads nowhere (${error instanceof Error ? error.message : String(error)})`, {
      cause: error,
    });
  }
}

/** Every database speaks snake_case, the code camelCase. */
export function withDialect(dialect: Dialect): Db {
  return new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin()] });
}
