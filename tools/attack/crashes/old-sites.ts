import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { migrate, MIGRATION_NAMES, type MigrationName } from '../../../api/src/foundation/db/migrate.ts';
import { withDialect } from '../../../api/src/foundation/db/open-db.ts';
import { postgres } from '../../../api/src/foundation/db/postgres.ts';
import type { Database } from '../../../api/src/foundation/db/schema.ts';
import { sqlite } from '../../../api/src/foundation/db/sqlite/sqlite.ts';
import { describeShape, insertOldRows, listRows } from '../../../api/src/test/databases/old-databases.ts';
import type { Settings } from '../../site/server.ts';
import { makeSharedSecrets } from '../../site/shared-secrets.ts';

type Db = Kysely<Database>;

/**
 * Tables that are emptied, because their sample rows have invented signatures and dates. A server would not start with
 * the signatures, and the sweeper would delete the old rows.
 */
const NOT_KEPT = ['signing_key', 'audit_event', 'audit_anchor'];
const KEPT = ['device', 'licence', 'licence_period', 'purchase_order'];

/** The versions that can be upgraded: all except the last. */
export const OLD_VERSIONS = MIGRATION_NAMES.slice(0, -1);

/** The rows of tables, by the tables' names. */
export type Rows = Record<string, Record<string, unknown>[]>;

/** Databases of earlier versions, made by the product's own migrations. */
export interface OldSites {
  name: string;
  /** How many servers may use a database at once: one for SQLite, several for PostgreSQL. */
  serversAtOnce: number;
  /**
   * Makes a database of a version, or an empty place for one.
   * @returns the environment variables of the server that uses it
   */
  prepare: (dataDir: string, from: MigrationName | undefined) => Promise<Settings>;
  /** The tables, columns, indexes, constraints and configuration of a database, for comparison. */
  shapeOf: (settings: Settings) => Promise<unknown>;
  /** The rows that every upgrade has to keep. */
  rowsIn: (settings: Settings) => Promise<Rows>;
  drop: (settings: Settings) => Promise<void>;
  close: () => Promise<void>;
}

/** Makes the databases as SQLite files below a folder. */
export async function openSqliteSites(folder: string): Promise<OldSites> {
  const openFile = (file: string) => withDialect(sqlite(file));
  const templates = join(folder, 'templates');
  mkdirSync(templates);
  for (const from of OLD_VERSIONS) await withDb(openFile(join(templates, from)), (db) => fill(db, from));
  const fileOf = ({ DATA_DIR = '' }: Settings) => join(DATA_DIR, 'app.sqlite');

  return {
    name: 'SQLite',
    serversAtOnce: 1,
    prepare(dataDir, from) {
      mkdirSync(dataDir);
      if (from) copyFileSync(join(templates, from), join(dataDir, 'app.sqlite'));
      return Promise.resolve({ DATA_DIR: dataDir });
    },
    shapeOf: (settings) => withDb(openFile(fileOf(settings)), describeShape),
    rowsIn: (settings) => withDb(openFile(fileOf(settings)), keptRows),
    drop: ({ DATA_DIR = '' }) => Promise.resolve(rmSync(DATA_DIR, { recursive: true })),
    close: () => Promise.resolve(),
  };
}

/** Makes the databases on a PostgreSQL server. `close` drops all of them. */
export async function openPostgresSites(postgresUrl: string): Promise<OldSites> {
  const openAt = (connectionString: string) => withDialect(postgres({ connectionString }));
  const prefix = `starts_${randomBytes(4).toString('hex')}`;
  const made: string[] = [];
  const templateOf = (from: string) => `${prefix}_${from.replaceAll('-', '_')}`;
  const addressOf = (name: string) => Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href;
  const nameOf = ({ DATABASE_URL = '' }: Settings) => new URL(DATABASE_URL).pathname.slice(1);
  const command = async (statement: string) => {
    await withDb(openAt(postgresUrl), (db) => sql.raw(statement).execute(db));
  };
  const create = async (name: string, template = 'template0') => {
    await command(`create database ${name} template ${template}`);
    made.push(name);
  };
  for (const from of OLD_VERSIONS) {
    await create(templateOf(from));
    await withDb(openAt(addressOf(templateOf(from))), (db) => fill(db, from));
  }

  return {
    name: 'PostgreSQL',
    serversAtOnce: 2,
    async prepare(dataDir, from) {
      const name = `${prefix}_${made.length}`;
      await create(name, from && templateOf(from));
      return { DATA_DIR: dataDir, DATABASE_URL: addressOf(name), ...makeSharedSecrets(dirname(dataDir)) };
    },
    shapeOf: ({ DATABASE_URL = '' }) => withDb(openAt(DATABASE_URL), describeShape),
    rowsIn: ({ DATABASE_URL = '' }) => withDb(openAt(DATABASE_URL), keptRows),
    drop: (settings) => command(`drop database ${nameOf(settings)} with (force)`),
    async close() {
      for (const name of made) await command(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Migrates a database to a version and inserts rows into its tables. */
async function fill(db: Db, from: MigrationName): Promise<void> {
  await migrate(db, from);
  await insertOldRows(db);
  for (const table of NOT_KEPT) await sql`delete from ${sql.table(table)}`.execute(db);
}

async function keptRows(db: Db): Promise<Rows> {
  const rows = await listRows(db);
  return Object.fromEntries(KEPT.flatMap((table) => (rows[table] ? [[table, rows[table]]] : [])));
}

/** Calls a function with a database and closes the database afterwards. */
async function withDb<Result>(db: Db, use: (db: Db) => Promise<Result>): Promise<Result> {
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
