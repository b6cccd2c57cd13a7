import { randomBytes } from 'node:crypto';
import { PGliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { postgres } from '#api/foundation/db/postgres.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';
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

/** The tables that are emptied between tests, children first. Configuration stays. */
const EMPTIED = [
  'access_key',
  'step_attempt',
  'run',
  'strike',
  'licence_period',
  'licence_code',
  'licence_device',
  'licence_code',
  'purchase_order',
  'reset_request',
  'device',
  'captcha_pass',
  'signing_key',
  'recent_purchase',
  'reseller',
  'licence',
  'webhook_event',
  'payment',
  'mail',
  'audit_unsealed',
  'audit_event',
  'audit_head',
  'audit_anchor',
  'pepper_check',
  'load_report',
  'field_timing',
  'deploy_token',
  'trusted_ci',
  'used_id_token',
  'channel',
  'release',
  'server',
  'attempt_count',
  'key_count',
  'stats_token',
  'webhook_delivery',
  'webhook',
] as const;

/** Runs the same tests on every kind of database, on empty tables each time. */
export function describeEachDatabase(title: string, body: (db: () => Db) => void): void {
  describeOn(DATABASES, title, body);
}

function describeOn(databases: typeof DATABASES, title: string, body: (db: () => Db) => void): void {
  describe.each(databases)(`${title} ($name)`, ({ open, copy = open }) => {
    let db: Db;
    let close: () => Promise<void>;

    beforeAll(async () => {
      ({ db, close } = await copy());
      // Does nothing to a copy.
      await migrate(db);
    });
    beforeEach(() => empty(db));
    afterAll(() => close());

    body(() => db);
  });
}

/** Empties the tables in one statement where the database can: for a server, each one is a wait. */
async function empty(db: Db): Promise<void> {
  const statements = [...EMPTIED.map((table) => `DELETE FROM "${table}"`), 'UPDATE counted_until SET at = 0'];
  if (isSqlite(db)) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  } else {
    const parts = statements.map((statement, nth) => `t${String(nth)} AS (${statement})`);
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
export async function meet<Outcome>(
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
async function openOnServer(address: string, from = 'template1'): Promise<OpenDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const own = new URL(address);
  own.pathname = `/${name}`;

  const server = withDialect(postgres({ connectionString: address, max: 1 }));
  await sql`create database ${sql.id(name)} template ${sql.id(from)}`.execute(server);
  const db = withDialect(postgres({ connectionString: own.href }));

  return {
    db,
    async close() {
      await db.destroy();
      await sql`drop database ${sql.id(name)}`.execute(server);
      await server.destroy();
    },
  };
}
