import { PGliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { postgres } from '#api/foundation/db/postgres.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';
import { makeDatabase } from './create-database.ts';
import { openEmptySqlite } from './open-empty-sqlite.ts';
import { openPglite } from './pglite.ts';

/**
 * The address of a PostgreSQL server. Unset: PostgreSQL in this process (PGlite). Empty: SQLite only, for tools that
 * repeat the tests many times.
 */
const realServer = process.env['TEST_DATABASE_URL'];
/** The name of a database with all tables on that server, from `migrated-template.ts`. */
const template = process.env['TEST_DATABASE_TEMPLATE'];

interface OpenDatabase {
  db: Db;
  close: () => Promise<void>;
}

interface Kind {
  name: string;
  /** Opens a database without tables. */
  open: () => Promise<OpenDatabase>;
  /** Opens a copy of a database with all tables, which is faster than to migrate one. */
  copy?: () => Promise<OpenDatabase>;
}

const DATABASES: Kind[] = [
  { name: 'SQLite', open: () => Promise.resolve(inMemory(withDialect(sqlite(':memory:')))), copy: copySqlite },
  // PGlite is for machines without a server; with one it would test nothing more.
  ...(realServer === undefined
    ? [{ name: 'PGlite', open: async () => inMemory(withDialect(new PGliteDialect({ pglite: await openPglite() }))) }]
    : []),
  ...(realServer
    ? [{ name: 'PostgreSQL', open: () => openOnServer(realServer), copy: () => openOnServer(realServer, template) }]
    : []),
];

/** What migrations fill; these tables stay as they are between tests. */
const FILLED_TEMPLATES = ['app', 'advertiser', 'step_link', 'plan', 'unit', 'registry_state', 'counted_until'];

/** Runs the same tests on every kind of database, on empty tables each time. */
export function describeEachDatabase(title: string, body: (db: () => Db) => void): void {
  describeOn(DATABASES, title, body);
}

function describeOn(databases: typeof DATABASES, title: string, body: (db: () => Db) => void): void {
  describe.each(databases)(`${title} ($name)`, ({ open, copy = open }) => {
    let db: Db;
    let close: () => Promise<void>;
    let tables: string[];

    beforeAll(async () => {
      ({ db, close } = await copy());
      // Does nothing to a copy.
      await migrate(db);
      tables = (await db.introspection.getTables())
        .map(({ name }) => name)
        .filter((name) => !FILLED_TEMPLATES.includes(name));
    });
    beforeEach(() => emptyTables(db, tables));
    afterAll(() => close());

    body(() => db);
  });
}

/** Empties tables, whatever refers to them; in one statement where the database can, because a server makes wait for each. */
async function emptyTables(db: Db, tables: readonly string[]): Promise<void> {
  const deletes = tables.map((table) => `DELETE FROM "${table}"`);
  const statements = [...deletes, 'UPDATE counted_until SET at = 0'];
  if (isSqlite(db))
    for (const statement of ['PRAGMA foreign_keys = OFF', ...statements, 'PRAGMA foreign_keys = ON'])
      await sql.raw(statement).execute(db);
  else {
    const parts = statements.map((statement, nth) => `t${nth} AS (${statement})`);
    await sql.raw(`WITH ${parts.join(', ')} SELECT`).execute(db);
  }
}

/**
 * Runs tests with two transactions at once, which only a PostgreSQL server has: a transaction that waited has to check
 * its conditions again.
 */
export function describeRace(title: string, body: (db: () => Db) => void): void {
  describe.runIf(realServer)('with a server', () => {
    describeOn(
      DATABASES.filter(({ name }) => name === 'PostgreSQL'),
      title,
      body,
    );
  });
}

/**
 * Starts `second` while `first` is done but not committed, and checks that it waits.
 * @param first the change that is made before
 * @returns the result of `second`
 */
export async function runConcurrently<Outcome>(
  db: Db,
  first: (trx: Db) => Promise<unknown>,
  second: () => Promise<Outcome>,
): Promise<Outcome> {
  const { outcome } = await db.transaction().execute(async (trx) => {
    await first(trx);
    const pending = second();
    await expect.poll(() => countWaiting(db)).toBe(1);
    return { outcome: pending };
  });
  return outcome;
}

/** How many statements wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{
    waiting: number;
  }>`SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows[0]?.waiting ?? 0;
}

/** Runs the same tests on every kind of database. Each call of `empty` gives a database without tables. */
export function describeEachEmptyDatabase(title: string, body: (empty: () => Promise<Db>) => void): void {
  describe.each(DATABASES)(`${title} ($name)`, ({ name, open }) => {
    let opened: OpenDatabase | undefined;

    async function empty(): Promise<Db> {
      if (name === 'SQLite') await opened?.close();
      if (name === 'SQLite' || !opened) opened = await open();
      else
        for (const statement of ['drop schema public cascade', 'create schema public'])
          await sql.raw(statement).execute(opened.db);
      return opened.db;
    }
    afterAll(() => opened?.close());

    body(empty);
  });
}

function inMemory(db: Db): OpenDatabase {
  return { db, close: () => db.destroy() };
}

async function copySqlite(): Promise<OpenDatabase> {
  return inMemory(await openEmptySqlite());
}

/** Creates a database for each test file, so that files can run in parallel on one server. */
async function openOnServer(address: string, from?: string): Promise<OpenDatabase> {
  const { url, drop } = await makeDatabase(address, from);
  const db = withDialect(postgres({ connectionString: url }));
  return {
    db,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}
