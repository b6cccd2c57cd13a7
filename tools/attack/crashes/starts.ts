import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createServer, makeSharedSecrets, type Server } from '../../site/server.ts';
import { noFindings, type Report } from '../report.ts';
import { openDatabase, type Database } from '../world/database.ts';
import { killAtRandom, type KillOptions } from './kill-at-random.ts';

interface Place {
  /** On PostgreSQL several servers may start at once. */
  servers: Server[];
  database: Database;
}

/**
 * Kills the server (SIGKILL) at random moments of its first start. The next start has to succeed, with the same database
 * as after an undisturbed start. Upgrades that end half-way are played by the tests of the migrations.
 */
export async function simulateStarts({ seed, kills, postgres }: KillOptions): Promise<Report> {
  const findings = noFindings();
  const root = mkdtempSync(join(tmpdir(), 'starts-'));
  const opened: Place[] = [];

  async function open(name: string): Promise<Place> {
    const folder = join(root, name);
    mkdirSync(folder);
    const database = await openDatabase(folder, postgres?.url);
    const settings = { ...database.settings, ...(postgres && makeSharedSecrets(folder)) };
    const folders = postgres ? [folder, `${folder}-beside`] : [folder];
    const servers = folders.map((own) => createServer({ folder: own, settings, limits: {} }));
    const place = { servers, database };
    opened.push(place);
    return place;
  }

  /** Starts the servers at once, and stops them. Returns how long that took, and the database; undefined when it failed. */
  async function start({ servers, database }: Place) {
    const startedAt = performance.now();
    const urls = await Promise.all(servers.map((server) => server.launch()));
    const ms = performance.now() - startedAt;
    await Promise.all(servers.map((server) => server.stop()));
    return urls.includes(undefined) ? undefined : { ms, shape: await shapeOf(database) };
  }

  try {
    const undisturbed = await start(await open('undisturbed'));
    if (!undisturbed) throw new Error('The server does not start');

    const title = `Starts, ${postgres ? 'PostgreSQL' : 'SQLite'}`;
    await killAtRandom({ title, seed, kills, workMs: undisturbed.ms }, async (round, afterMs) => {
      const place = await open(String(round));
      const killed = place.servers.map((server) => server.launch());
      await wait(afterMs);
      await Promise.all(place.servers.map((server) => server.kill()));
      await Promise.all(killed);

      const next = await start(place);
      const said = place.servers.map((server) => server.logTail()).join('\n');
      if (!next) findings.starts.push(`killed ${afterMs} ms into its start, it does not start: ${said}`);
      else if (!isDeepStrictEqual(next.shape, undisturbed.shape))
        findings.starts.push(`killed ${afterMs} ms into its start, its database is another than an undisturbed one`);
      return next?.ms;
    });
    return { summary: `${title}, seed ${seed}: ${kills} kills during first starts`, findings };
  } finally {
    for (const { servers, database } of opened) {
      await Promise.all(servers.map((server) => server.kill()));
      await database.drop();
    }
    rmSync(root, { recursive: true });
  }
}

/** The tables, columns and indexes of a database, and which migrations it has. */
async function shapeOf({ name, rows }: Database): Promise<unknown[]> {
  const queries =
    name === 'SQLite'
      ? ['select name, sql from sqlite_master order by name']
      : [
          `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
           where table_schema = 'public' order by table_name, column_name`,
          "select indexdef from pg_indexes where schemaname = 'public' order by indexdef",
        ];
  return Promise.all([...queries, 'select name from kysely_migration order by name'].map((query) => rows(query)));
}
