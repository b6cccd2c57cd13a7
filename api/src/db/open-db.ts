import { join } from 'node:path';
import { CamelCasePlugin, Kysely, type Dialect } from 'kysely';
import { makePrivate, prepareDataDir } from './data-dir.ts';
import { postgres, PROMPT } from './postgres.ts';
import type { Database } from './schema.ts';
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
export function openDb({ databaseUrl, dataDir, isPatient = false, ...options }: DbSettings): Kysely<Database> {
  if (databaseUrl !== undefined) return withDialect(postgres({ ...(!isPatient && PROMPT), connectionString: databaseUrl }));

  prepareDataDir(dataDir);
  const file = join(dataDir, SQLITE_FILE);
  makePrivate(file);
  return withDialect(sqlite(file, options));
}

/** Every database speaks snake_case, the code camelCase. */
export function withDialect(dialect: Dialect): Kysely<Database> {
  return new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin()] });
}
