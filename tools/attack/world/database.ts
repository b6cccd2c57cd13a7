import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { queryPostgres } from '../../machine/query-postgres.ts';

/** How long the server may keep its database for itself; milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

export interface Database {
  name: string;
  /** The environment variables of the server that uses it. */
  settings: Record<string, string>;
  /** The rows of a query. The caller has to know their columns. */
  rows: <Row>(sql: string) => Promise<Row[]>;
  /** Changes rows, for what cannot be done over HTTP. */
  write: (sql: string) => Promise<void>;
  drop: () => Promise<unknown>;
}

/**
 * Opens the database of a server: a SQLite file in its data folder, or a new database on a PostgreSQL
 * server. It uses none of the product's code, so that errors of that code cannot hide.
 */
export async function openDatabase(folder: string, postgresUrl?: string): Promise<Database> {
  return postgresUrl === undefined ? onSqlite(join(folder, 'data', 'app.sqlite')) : onPostgres(postgresUrl);
}

function onSqlite(file: string): Database {
  function use<Result>(work: (database: DatabaseSync) => Result): Promise<Result> {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      return Promise.resolve(work(database));
    } finally {
      database.close();
    }
  }
  return {
    name: 'SQLite',
    settings: {},
    rows: <Row>(sql: string) => use((database) => database.prepare(sql).all() as Row[]),
    write: (sql) => use((database) => database.exec(sql)),
    drop: () => Promise.resolve(),
  };
}

async function onPostgres(postgresUrl: string): Promise<Database> {
  const name = `attack_${randomBytes(6).toString('hex')}`;
  const own = new URL(postgresUrl);
  own.pathname = `/${name}`;
  await queryPostgres(postgresUrl, `create database ${name}`);

  return {
    name: 'PostgreSQL',
    settings: { DATABASE_URL: own.href },
    rows: (sql) => queryPostgres(own.href, sql),
    write: async (sql) => void (await queryPostgres(own.href, sql)),
    drop: () => queryPostgres(postgresUrl, `drop database ${name}`),
  };
}
