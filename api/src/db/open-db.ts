import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, type Dialect } from 'kysely';
import { postgres, PROMPT } from './postgres.ts';
import type { Database } from './schema.ts';
import { sqlite, type SqliteOptions } from './sqlite.ts';

/** The embedded database, within the data folder. */
export const SQLITE_FILE = 'app.sqlite';

interface DbSettings extends SqliteOptions {
  databaseUrl: string | undefined;
  dataDir: string;
}

/** Opens the database of the settings: PostgreSQL where an address is given, else a file in the data folder. */
export function openDb({ databaseUrl, dataDir, ...options }: DbSettings): Kysely<Database> {
  if (databaseUrl !== undefined) return withDialect(postgres({ ...PROMPT, connectionString: databaseUrl }));

  mkdirSync(dataDir, { recursive: true });
  return withDialect(sqlite(join(dataDir, SQLITE_FILE), options));
}

/** Every database speaks snake_case, the code camelCase. */
export function withDialect(dialect: Dialect): Kysely<Database> {
  return new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin()] });
}
