import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { withPostgres } from '../machine/postgres.ts';
import { folderOf } from './programs.ts';
import { runTable, type RunTool } from './run.ts';

/** What is used of Kysely, which the API has, and the tools do not. */
interface Inserts {
  insertInto: (table: string) => {
    values: (rows: object) => {
      onConflict: (on: (on: { doNothing: () => unknown }) => unknown) => {
        execute: () => Promise<{ insertId?: bigint }[]>;
      };
    };
  };
}
interface Kysely {
  Kysely: new (options: { dialect: object }) => Inserts;
  SqliteDialect: new (options: { database: object }) => object;
}

/** Does with Kysely's own dialect what no code of ours does. */
const inKysely =
  (play: (db: Inserts, database: DatabaseSync) => Promise<string>): RunTool =>
  async (version) => {
    const { Kysely, SqliteDialect } = createRequire(`${await folderOf('kysely', version)}/a.js`)('kysely') as Kysely;
    const database = new DatabaseSync(':memory:');
    database.exec(`create table note (id integer primary key, text text unique, kind text default 'usual')`);
    const prepare = (sql: string) => {
      const statement = database.prepare(sql);
      return { reader: false, run: (values: string[]) => statement.run(...values) };
    };
    return { does: await play(new Kysely({ dialect: new SqliteDialect({ database: { prepare } }) }), database) };
  };

/** Has a pool of one connection give a statement up that still runs. */
const inPool =
  (play: (pool: pg.Pool, watch: pg.Client) => Promise<string>): RunTool =>
  () =>
    withPostgres(async ({ url }) => {
      const pool = new pg.Pool({ connectionString: url, max: 1, query_timeout: 200 });
      pool.on('error', () => undefined);
      const watch = new pg.Client(url);
      await watch.connect();
      try {
        await watch.query('create table note (id integer)');
        const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string };
        return { version, does: await play(pool, watch) };
      } finally {
        await Promise.all([pool.end(), watch.end()]);
      }
    });

const SLOW_WRITE = 'insert into note select 1 from pg_sleep(1)';

const TOOLS: Record<string, RunTool> = {
  'kysely: rows that lack a column': inKysely(async (db, database) => {
    const rows = [{ text: 'one', kind: 'rare' }, { text: 'two' }];
    await db
      .insertInto('note')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute();
    const kind = database.prepare(`select kind from note where text = 'two'`).get()?.['kind'];
    return `stores ${kind === 'usual' ? 'the default' : String(kind)}`;
  }),
  'kysely: an insert that meets a conflict': inKysely(async (db) => {
    const insert = async (text: string) => {
      const made = db
        .insertInto('note')
        .values({ text })
        .onConflict((on) => on.doNothing());
      return (await made.execute())[0]?.insertId;
    };
    const [one, two] = [await insert('one'), await insert('two')];
    const again = await insert('one');
    if (again === one) return 'gives the id of the row';
    return again === two ? 'gives the id of another row' : 'gives no id';
  }),
  'node:sqlite: a whole number': () => {
    const [row] = new DatabaseSync(':memory:').prepare('select 7 / ? as half').all(2);
    const half = Number(row?.['half']);
    return Promise.resolve({ version: process.versions.node, does: `is bound so that 7 / 2 is ${half}` });
  },
  'pg: a statement that had no answer in time': inPool(async (pool, watch) => {
    await pool.query(SLOW_WRITE).catch(() => undefined);
    await pool.query('select 1');
    const { rows } = await watch.query(
      `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return `a pool of ${pool.options.max} has ${rows.length} connections`;
  }),
  'pg: a write that had no answer in time, then COMMIT': inPool(async (pool, watch) => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(SLOW_WRITE).catch(() => undefined);
    await client.query({ text: 'commit', query_timeout: 10_000 } as pg.QueryConfig);
    client.release();
    const { rows } = await watch.query('select from note');
    return rows.length > 0 ? 'the write is stored' : 'nothing is stored';
  }),
};

/**
 * Has the libraries of the database do what our own code keeps them from.
 * @param only see `runTable`
 * @returns whether each does what docs/compatibility.md says
 */
export const runStore = (only?: string): Promise<boolean> => runTable('Our store', TOOLS, only);
