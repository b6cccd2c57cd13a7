import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresAdapter, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildPurchase } from '#api/test/build-rows.ts';
import { createDatabase } from '#api/test/databases/create-database.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { findPostgresProgram, libpqEnvironment } from './libpq.ts';
import { migrate } from './migrate.ts';
import { openDb } from './open-db.ts';
import { backUpPostgres, restorePostgres } from './postgres-backup.ts';
import type { Db } from './schema.ts';

test('an unreachable database is reported in one line, without its password, and no file is left', async () => {
  const folder = makeFolder();

  const refused = expect(backUpPostgres('postgres://site:pass-word@127.0.0.1:1/keys', join(folder, 'copy'))).rejects;

  await refused.toMatchObject({ name: 'EnvError', message: expect.not.stringMatching(/pass-word|\n/) as string });
  expect(readdirSync(folder)).toEqual([]);
});

const server = process.env['TEST_DATABASE_URL'];

describe.each(server ? [{ name: 'PostgreSQL', at: server }] : [])('backups of $name', ({ at }) => {
  function open(databaseUrl: string): Db {
    const db = openDb({ databaseUrl, dataDir: '/nowhere', hasTimeouts: false });
    onTestFinished(() => db.destroy());
    return db;
  }

  /** A site with one purchase. */
  async function openSite(): Promise<string> {
    const url = await createDatabase(at, process.env['TEST_DATABASE_TEMPLATE']);
    await open(url)
      .insertInto('recentPurchase')
      .values(buildPurchase({ id: 'early' }))
      .execute();
    return url;
  }

  async function backUpSite(): Promise<string> {
    const file = join(makeFolder(), 'copy');
    await backUpPostgres(await openSite(), file);
    return file;
  }

  const listTables = async (url: string) => (await open(url).introspection.getTables()).map(({ name }) => name);
  const listIds = (url: string) => open(url).selectFrom('recentPurchase').select('id').execute();

  test('a backup is readable only by its user, and can be restored into an empty database', async () => {
    const file = await backUpSite();
    const to = await createDatabase(at);

    await restorePostgres(to, file);

    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(await listIds(to)).toEqual([{ id: 'early' }]);
    await migrate(open(to));
  });

  test('a restore into a database with any tables is rejected, and changes nothing', async () => {
    const file = await backUpSite();
    const ours = await openSite();
    const other = await createDatabase(at);
    await sql`create table guests (id text)`.execute(open(other));

    await expect(restorePostgres(ours, file)).rejects.toThrow(/it is not empty, it has \w+;.*; nothing was changed$/);
    await expect(restorePostgres(other, file)).rejects.toThrow('it is not empty, it has guests;');
    expect(await listTables(other)).toEqual(['guests']);
    expect(await listIds(ours)).toEqual([{ id: 'early' }]);
  });

  test('a dump without migrations is rolled back', async () => {
    const url = await openSite();
    await sql`delete from kysely_migration`.execute(open(url));
    const file = join(makeFolder(), 'copy');
    await backUpPostgres(url, file);
    const to = await createDatabase(at);

    await expect(restorePostgres(to, file)).rejects.toThrow('no version of this site has made what the file holds');
    expect(await listTables(to)).toEqual([]);
  });

  test('a file that is no backup of this site is rejected, and changes nothing', async () => {
    const folder = makeFolder();
    const whole = readFileSync(await backUpSite());
    const stranger = await createDatabase(at);
    await sql`create table guests (id text)`.execute(open(stranger));
    const dump = promisify(execFile)(findPostgresProgram('pg_dump'), ['-Fc', `-f${join(folder, 'guests')}`], {
      env: libpqEnvironment(stranger),
    });
    await dump;
    writeFileSync(join(folder, 'text'), 'select 1;');
    writeFileSync(join(folder, 'half'), whole.subarray(0, whole.length / 2));
    writeFileSync(join(folder, 'end'), whole.subarray(0, whole.length - 100));
    const to = await createDatabase(at);

    for (const name of readdirSync(folder))
      await expect(restorePostgres(to, join(folder, name)), name).rejects.toThrow(
        /no backup of this site|nothing was changed$/,
      );
    await expect(backUpPostgres(stranger, join(folder, 'copy'))).rejects.toThrow('it has no table run');
    expect(await listTables(to)).toEqual([]);
  });

  test('of two concurrent restores one succeeds and the other is rejected', async () => {
    const file = await backUpSite();
    const to = await createDatabase(at);

    const outcomes = await Promise.allSettled([restorePostgres(to, file), restorePostgres(to, file)]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listIds(to)).toEqual([{ id: 'early' }]);
  });

  test('a restore waits for a concurrent migration of the same database', async () => {
    const file = await backUpSite();
    const to = await createDatabase(at);
    const other = open(to);
    const countWaiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(other)).rows.length;

    const restoring = await open(to)
      .transaction()
      .execute(async (trx) => {
        await new PostgresAdapter().acquireMigrationLock(trx, {
          lockTable: 'kysely_migration_lock',
          lockRowId: 'migration_lock',
        });
        const task = restorePostgres(to, file);
        await expect.poll(() => countWaiting()).toBe(1);
        return { task };
      });

    await restoring.task;
    expect(await listIds(to)).toEqual([{ id: 'early' }]);
  });

  test('a rejected restore of a large file ends although its output is no longer read', async () => {
    const url = await openSite();
    await open(url)
      .updateTable('recentPurchase')
      .set({ location: 'x'.repeat(5_000_000) })
      .execute();
    const file = join(makeFolder(), 'copy');
    await backUpPostgres(url, file);

    await expect(restorePostgres(url, file)).rejects.toThrow('it is not empty');
  });
});
