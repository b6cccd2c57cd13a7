import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, PostgresDialect, type Dialect } from 'kysely';
import pg from 'pg';
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
  if (databaseUrl !== undefined) return withDialect(postgres({ connectionString: databaseUrl }));

  mkdirSync(dataDir, { recursive: true });
  return withDialect(sqlite(join(dataDir, SQLITE_FILE), options));
}

/** Every database speaks snake_case, the code camelCase. */
export function withDialect(dialect: Dialect): Kysely<Database> {
  return new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin()] });
}

/** Times are BIGINT and stay far below 2^53, so they are read as numbers. */
export function postgres(config: pg.PoolConfig): Dialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ ...config, types });
  // A lost connection fails the query that was on it, which is said there; it must not end the process as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  return new PostgresDialect({ pool });
}
