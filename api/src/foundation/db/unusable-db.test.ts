import { linkSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { findDeadOrigin } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { openDb } from './open-db.ts';
import { openServerDb } from './open-server-db.ts';

const open = (dataDir: string) => openServerDb({ databaseUrl: undefined, dataDir });

test('a dangling link is named in one sentence, and no file is created at its target', async () => {
  const [dataDir, nowhere] = [makeFolder(), makeFolder()];
  symlinkSync(join(nowhere, 'app.sqlite'), join(dataDir, 'app.sqlite'));

  await expect(open(dataDir)).rejects.toMatchObject({
    name: 'EnvError',
    message: expect.stringMatching(`^DATA_DIR: ${join(dataDir, 'app.sqlite')} leads nowhere`) as string,
  });
  expect(readdirSync(nowhere)).toEqual([]);
});

test('rejects a database with a hard link, because each name would have its own log', async () => {
  const [dataDir, other] = [makeFolder(), makeFolder()];
  const first = await open(dataDir);
  linkSync(join(dataDir, 'app.sqlite'), join(other, 'app.sqlite'));

  await expect(open(other)).rejects.toMatchObject({
    name: 'EnvError',
    message: expect.stringMatching(`^DATA_DIR: ${join(other, 'app.sqlite')} has 2 names`) as string,
  });
  expect(() => openDb({ databaseUrl: undefined, dataDir: other })).toThrow('has 2 names');
  await first.close();
  await expect(open(other)).rejects.toThrow('has 2 names');
  expect(readdirSync(other).filter((name) => name.startsWith('app.sqlite'))).toEqual(['app.sqlite']);

  rmSync(join(other, 'app.sqlite'));
  await (await open(dataDir)).close();
});

test('a folder that cannot be created is named in one sentence', async () => {
  const file = join(makeFolder(), 'file');
  writeFileSync(file, '');

  for (const dataDir of [file, join(file, 'below'), '/proc/nowhere']) {
    await expect(open(dataDir)).rejects.toMatchObject({
      name: 'EnvError',
      message: expect.stringMatching(`^DATA_DIR: ${dataDir} cannot be used as a folder for data \\(`) as string,
    });
  }
});

test('a file that is no database is named in one sentence, and not changed', async () => {
  const dataDir = makeFolder();
  writeFileSync(join(dataDir, 'app.sqlite'), 'this is not a database, however long it is'.repeat(100));

  await expect(open(dataDir)).rejects.toMatchObject({
    name: 'EnvError',
    message: `DATA_DIR: the database in ${dataDir} cannot be used (file is not a database)`,
  });
  expect(statSync(join(dataDir, 'app.sqlite')).size).toBe(4200);
});

/** A database that a newer version has migrated. */
async function makeNewer(migration: string): Promise<string> {
  const dataDir = makeFolder();
  await (await open(dataDir)).close();
  const database = new DatabaseSync(join(dataDir, 'app.sqlite'));
  database.exec(`insert into kysely_migration (name, timestamp) values ('${migration}', '2999-01-01')`);
  database.close();
  return dataDir;
}

test('accepts a database to which a newer version has added something, so that both run during an upgrade', async () => {
  const { db, close } = await open(await makeNewer('999-add-names'));

  expect(await db.selectFrom('device').select('id').execute()).toEqual([]);
  await close();
});

test('rejects a database from which a newer version has removed something', async () => {
  const dataDir = await makeNewer('999-remove-names');

  await expect(open(dataDir)).rejects.toMatchObject({
    name: 'EnvError',
    message: expect.stringContaining('made by a newer version (999-remove-names)') as string,
  });
});

test('an unreachable PostgreSQL is named in one sentence without its password', async () => {
  const { port } = new URL(await findDeadOrigin());
  const dataDir = join(makeFolder(), 'unused');

  const opening = openServerDb({ databaseUrl: `postgres://ada:secret-word@127.0.0.1:${port}/site`, dataDir });

  const error = (await opening.catch((thrown: unknown) => thrown)) as Error;
  expect(error).toMatchObject({
    name: 'EnvError',
    message: `DATABASE_URL: the database cannot be used (connect ECONNREFUSED 127.0.0.1:${port})`,
  });
  expect(readdirSync(dataDir)).toEqual(['server.lock']);
});
