import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { createJiti } from 'jiti';
import { launch } from './own-server.mjs';
import { createRandom } from './random.mjs';

const jiti = createJiti(import.meta.url);

/** Servers that start where one was killed: a file has one, a PostgreSQL may have several. */
const SERVERS_AT_ONCE = { SQLite: 1, PostgreSQL: 2 };

/** Their signatures and dates are made up: a server would not start with the first, and sweep away the second. */
const NOT_KEPT = ['signing_key', 'audit_event', 'audit_anchor'];
const KEPT = ['device', 'licence', 'licence_period', 'purchase_order', 'plan'];

/**
 * Kills the server (SIGKILL) at random moments of its first start, and of the start that finds a database of each
 * earlier version. Whatever is left, the next start comes up and has the same database as one that nobody disturbed.
 */
export async function playStarts({ seed, kills, postgres }) {
  const random = createRandom(seed).fork('starts');
  const folder = mkdtempSync(join(tmpdir(), 'starts-'));
  const site = postgres ? await openPostgres(postgres.url) : await openSqlite(folder);
  const findings = { starts: [] };

  try {
    const versions = [undefined, ...site.names.slice(0, -1)];
    let lastMs = 0;
    const undisturbed = await shapeAfterStart(join(folder, 'undisturbed'), undefined);

    for (let kill = 0; kill < kills; kill++) {
      const from = versions[kill % versions.length];
      const dataDir = join(folder, String(kill));
      const settings = await site.prepare(dataDir, from);
      const rows = await site.rowsIn(settings);
      const afterMs = random.int(Math.ceil(lastMs));
      const killed = launch(settings);
      await wait(afterMs);
      await killed.end('SIGKILL');

      const shape = await start(settings);
      const what = `killed ${afterMs} ms into its start on a database ${from ? `as it was after ${from}` : 'that was not there'}`;
      if (typeof shape === 'string') findings.starts.push(`${what}: ${shape}`);
      else if (!isDeepStrictEqual(shape, undisturbed))
        findings.starts.push(`${what}: its database is another than an undisturbed one`);
      else if (!isDeepStrictEqual(await site.rowsIn(settings), from ? rows : {}))
        findings.starts.push(`${what}: rows were lost or changed`);
      await site.drop(settings);
    }
    return { database: site.name, seed, kills, findings };

    async function shapeAfterStart(dataDir, from) {
      const shape = await start(await site.prepare(dataDir, from));
      if (typeof shape === 'string') throw new Error(shape);
      return shape;
    }

    /** Starts and stops; gives the database's shape then, or why there was no start. */
    async function start(settings) {
      const startedAt = performance.now();
      const servers = Array.from({ length: SERVERS_AT_ONCE[site.name] }, () => launch(settings));
      const urls = await Promise.all(servers.map(({ listening }) => listening));
      lastMs = performance.now() - startedAt;
      const ends = await Promise.all(servers.map((server) => server.end('SIGTERM')));
      const failed = ends.find((_, nth) => urls[nth] === undefined);
      return failed ? `the next start ended with ${failed.code}: ${failed.said}` : site.shapeOf(settings);
    }
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
}

async function loadOurs() {
  const [{ migrate, MIGRATION_NAMES }, { withDialect }, { sqlite }, { postgres }, old] = await Promise.all(
    ['db/migrate.ts', 'db/open-db.ts', 'db/sqlite.ts', 'db/postgres.ts', 'test/old-databases.ts'].map((path) =>
      jiti.import(`../../api/src/${path}`),
    ),
  );

  return {
    names: MIGRATION_NAMES,
    openSqlite: (file) => withDialect(sqlite(file)),
    openPostgres: (connectionString) => withDialect(postgres({ connectionString })),
    /** A database as a version of then left it, with rows of everything. */
    async fill(db, from) {
      await migrate(db, from);
      await old.insertOldRows(db);
      for (const table of NOT_KEPT) await db.deleteFrom(table).execute();
    },
    describeShape: old.describeShape,
    async keptRows(db) {
      const rows = await old.listRows(db);
      return Object.fromEntries(KEPT.filter((table) => rows[table]).map((table) => [table, rows[table]]));
    },
  };
}

/** Opens, uses and closes. */
async function within(db, use) {
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

async function openSqlite(folder) {
  const ours = await loadOurs();
  const templates = join(folder, 'templates');
  mkdirSync(templates);
  for (const from of ours.names.slice(0, -1))
    await within(ours.openSqlite(join(templates, from)), (db) => ours.fill(db, from));
  const open = ({ DATA_DIR }) => ours.openSqlite(join(DATA_DIR, 'app.sqlite'));

  return {
    name: 'SQLite',
    names: ours.names,
    prepare(dataDir, from) {
      mkdirSync(dataDir);
      if (from) copyFileSync(join(templates, from), join(dataDir, 'app.sqlite'));
      return { DATA_DIR: dataDir };
    },
    shapeOf: (settings) => within(open(settings), ours.describeShape),
    rowsIn: (settings) => within(open(settings), ours.keptRows),
    drop: ({ DATA_DIR }) => rmSync(DATA_DIR, { recursive: true }),
    close: () => {},
  };
}

async function openPostgres(postgresUrl) {
  const ours = await loadOurs();
  const prefix = `starts_${randomBytes(4).toString('hex')}`;
  const made = [];
  const templateOf = (from) => `${prefix}_${from.replaceAll('-', '_')}`;
  const addressOf = (name) => Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href;
  const command = (statement) =>
    within(ours.openPostgres(postgresUrl), (db) =>
      db.executeQuery({ sql: statement, parameters: [], query: { kind: 'RawNode' } }),
    );
  const create = async (name, template = 'template0') => {
    await command(`create database ${name} template ${template}`);
    made.push(name);
  };
  for (const from of ours.names.slice(0, -1)) {
    await create(templateOf(from));
    await within(ours.openPostgres(addressOf(templateOf(from))), (db) => ours.fill(db, from));
  }
  const open = ({ DATABASE_URL }) => ours.openPostgres(DATABASE_URL);
  const nameOf = ({ DATABASE_URL }) => new URL(DATABASE_URL).pathname.slice(1);

  return {
    name: 'PostgreSQL',
    names: ours.names,
    async prepare(dataDir, from) {
      const name = `${prefix}_${made.length}`;
      await create(name, from && templateOf(from));
      return { DATA_DIR: dataDir, DATABASE_URL: addressOf(name) };
    },
    shapeOf: (settings) => within(open(settings), ours.describeShape),
    rowsIn: (settings) => within(open(settings), ours.keptRows),
    drop: (settings) => command(`drop database ${nameOf(settings)} with (force)`),
    async close() {
      for (const name of made) await command(`drop database if exists ${name} with (force)`);
    },
  };
}
