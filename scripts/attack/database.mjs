import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';

/**
 * The database that a server is to use: a file in its data folder, or one of its own on a PostgreSQL.
 * It is read past the server, by nobody's code but ours.
 */
export async function openDatabase({ folder, postgresUrl }) {
  return postgresUrl === undefined ? onSqlite(join(folder, 'data', 'app.sqlite')) : onPostgres(postgresUrl);
}

function onSqlite(file) {
  return {
    name: 'SQLite',
    settings: {},
    rows(sql) {
      const database = new SqliteDatabase(file, { readonly: true });
      try {
        return Promise.resolve(database.prepare(sql).all());
      } finally {
        database.close();
      }
    },
    drop: () => Promise.resolve(),
  };
}

async function onPostgres(postgresUrl) {
  const name = `attack_${randomBytes(6).toString('hex')}`;
  const own = new URL(postgresUrl);
  own.pathname = `/${name}`;
  await query(postgresUrl, `create database ${name}`);

  return {
    name: 'PostgreSQL',
    settings: { DATABASE_URL: own.href },
    rows: (sql) => query(own.href, sql),
    drop: () => query(postgresUrl, `drop database ${name}`),
  };
}

async function query(connectionString, sql) {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const client = new pg.Client({ connectionString, types });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
