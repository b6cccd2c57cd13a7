import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { buildPurchase } from '#api/test/build-rows.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { backUpSqlite, restoreSqlite } from './sqlite-backup.ts';
import { openServerDb } from '#api/foundation/db/open-server-db.ts';
import { dieWithParent } from '../../../../../tools/machine/die-with-parent.mjs';

/** The folder of a killed server: its last purchases are in the log only. */
async function makeKilled(...ids: string[]): Promise<string> {
  const [living, dataDir] = [makeFolder(), makeFolder()];
  const { db, close } = await openServerDb({ databaseUrl: undefined, dataDir: living });
  for (const id of ids) await db.insertInto('recentPurchase').values(buildPurchase({ id })).execute();
  for (const end of ['', '-wal', '-shm'])
    copyFileSync(join(living, `app.sqlite${end}`), join(dataDir, `app.sqlite${end}`));
  await close();
  return dataDir;
}

/** A backup with one purchase, `early`. */
async function makeBackup(): Promise<string> {
  const backup = join(makeFolder(), 'copy.sqlite');
  await backUpSqlite(join(await makeKilled('early'), 'app.sqlite'), backup);
  return backup;
}

function listIds(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare('select id from recent_purchase order by id')
      .all()
      .map(({ id }) => id);
  } finally {
    database.close();
  }
}

/** Another program that commits without a pause, two rows at a time. */
async function startWriter(file: string): Promise<void> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
    const insert = database.prepare("insert into recent_purchase (id, name, location, country_code, bought_at) values (?, ?, 'London', 'GB', 1)");
    const two = (at) => { database.exec('begin'); insert.run(at + 'a', 'x'.repeat(500)); insert.run(at + 'b', 'x'.repeat(500)); database.exec('commit'); };
    for (let at = 0; ; at++) { two(at); if (at === 1000) process.stdout.write('writing'); }`;
  const command = dieWithParent(process.execPath, ['-e', script, file]);
  const writer = spawn(...command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(writer, 'exit');
  onTestFinished(async () => {
    writer.kill('SIGKILL');
    await gone;
  });
  await once(writer.stdout, 'data');
}

test('a backup completes during constant commits, and contains a consistent snapshot', async () => {
  const [dataDir, folder] = [makeFolder(), makeFolder()];
  const { db, close } = await openServerDb({ databaseUrl: undefined, dataDir });
  onTestFinished(close);
  await startWriter(join(dataDir, 'app.sqlite'));
  const to = join(folder, 'copy.sqlite');

  await backUpSqlite(join(dataDir, 'app.sqlite'), to);

  const ids = listIds(to);
  expect(ids.length).toBeGreaterThan(2000);
  expect(ids.length % 2).toBe(0);
  expect((statSync(to).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(folder)).toEqual(['copy.sqlite']);
  expect(await db.selectFrom('recentPurchase').select('id').limit(1).execute()).toHaveLength(1);
});

test('a restored backup ignores the log of the previous database', async () => {
  const backup = await makeBackup();
  const dataDir = await makeKilled('early', 'later');

  const { former } = await restoreSqlite(dataDir, backup);

  const { db, close } = await openServerDb({ databaseUrl: undefined, dataDir });
  onTestFinished(close);
  expect(await db.selectFrom('recentPurchase').select('id').execute()).toEqual([{ id: 'early' }]);
  expect(former?.slice(dataDir.length)).toMatch(
    /^\/app\.sqlite\.before-restore-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z$/,
  );
  expect(listIds(former ?? '')).toEqual(['early', 'later']);
  for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o077, name).toBe(0);
});

test('a restore follows a symbolic link, and keeps the previous database beside its target', async () => {
  const backup = await makeBackup();
  const [disk, dataDir] = [await makeKilled('production'), makeFolder()];
  symlinkSync(join(disk, 'app.sqlite'), join(dataDir, 'app.sqlite'));

  const { former } = await restoreSqlite(dataDir, backup);

  expect(readdirSync(dataDir)).toEqual(['app.sqlite']);
  expect(listIds(join(disk, 'app.sqlite'))).toEqual(['early']);
  expect(former?.startsWith(disk)).toBe(true);
  expect(listIds(former ?? '')).toEqual(['production']);
});

test('a restore waits while another program locks the backup', async () => {
  const [dataDir, backup] = [makeFolder(), await makeBackup()];
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec('begin exclusive');
    process.stdout.write('kept');
    setTimeout(() => process.exit(), 300);`;
  const holder = spawn(process.execPath, ['-e', script, backup], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(holder, 'exit');
  await once(holder.stdout, 'data');

  await restoreSqlite(dataDir, backup);

  expect(listIds(join(dataDir, 'app.sqlite'))).toEqual(['early']);
  await gone;
});

test('a second restore keeps the previous database of the first', async () => {
  const backup = await makeBackup();
  const dataDir = await makeKilled('production');

  const { former: first } = await restoreSqlite(dataDir, backup);
  const { former: second } = await restoreSqlite(dataDir, backup);

  expect(listIds(first ?? '')).toEqual(['production']);
  expect(listIds(second ?? '')).toEqual(['early']);
});

test.each([
  { why: 'of another site', change: 'drop table access_key' },
  { why: 'that no version of ours has made', change: 'delete from kysely_migration' },
])('rejects the restore of a database $why', async ({ change }) => {
  const dataDir = await makeKilled('kept');
  const other = await makeBackup();
  const database = new DatabaseSync(other);
  database.exec('pragma foreign_keys = off');
  database.exec(change);
  database.close();

  await expect(restoreSqlite(dataDir, other)).rejects.toThrow(
    `${other} could not be copied as a sound database of this site`,
  );
  expect(listIds(join(dataDir, 'app.sqlite'))).toEqual(['kept']);
});

test('a backup into a missing folder is rejected in one line', async () => {
  const from = join(await makeKilled('early'), 'app.sqlite');
  const missing = join(makeFolder(), 'missing');

  await expect(backUpSqlite(from, join(missing, 'copy.sqlite'))).rejects.toThrow(
    expect.objectContaining({
      name: 'EnvError',
      message: expect.stringMatching(`^${missing} takes no file \\(ENOENT.*nothing was written$`) as string,
    }),
  );
});

test('a restore is rejected while a server is running', async () => {
  const backup = join(makeFolder(), 'copy.sqlite');
  const dataDir = makeFolder();
  const { db, close } = await openServerDb({ databaseUrl: undefined, dataDir });
  onTestFinished(close);
  await backUpSqlite(join(dataDir, 'app.sqlite'), backup);
  await db
    .insertInto('recentPurchase')
    .values(buildPurchase({ id: 'kept' }))
    .execute();

  await expect(restoreSqlite(dataDir, backup)).rejects.toThrow('DATA_DIR: another server works with');
  expect(await db.selectFrom('recentPurchase').select('id').execute()).toEqual([{ id: 'kept' }]);
});

test('a corrupt backup is rejected, and the database is unchanged', async () => {
  const dataDir = await makeKilled('kept');
  const strange = join(makeFolder(), 'strange');
  writeFileSync(strange, 'no database');
  const empty = join(makeFolder(), 'empty.sqlite');
  writeFileSync(empty, '');
  const damaged = await makeBackup();
  writeFileSync(damaged, Buffer.alloc(8192, 7), { flag: 'r+' });

  for (const file of [strange, empty, damaged])
    await expect(restoreSqlite(dataDir, file), file).rejects.toThrow(
      `${file} could not be copied as a sound database of this site`,
    );

  expect(existsSync(join(dataDir, 'app.sqlite-wal'))).toBe(true);
  expect(listIds(join(dataDir, 'app.sqlite'))).toEqual(['kept']);
  expect(readdirSync(dataDir).filter((name) => !name.startsWith('app.sqlite-'))).toEqual(['app.sqlite', 'server.lock']);
});

test('a backup does not overwrite a file', async () => {
  const folder = makeFolder();
  const from = join(await makeKilled('early'), 'app.sqlite');
  const to = join(folder, 'copy.sqlite');
  writeFileSync(to, 'of another program');

  await expect(backUpSqlite(from, to)).rejects.toThrow(`${to} is there already; nothing was written`);
  expect(readFileSync(to, 'utf8')).toBe('of another program');
  expect(readdirSync(folder)).toEqual(['copy.sqlite']);
});

/** What a restore leaves that is killed after each of its steps. */
const KILLED: { when: string; leave: (dataDir: string) => void }[] = [
  {
    when: 'while it copies',
    leave: (dataDir) => writeFileSync(join(dataDir, 'app.sqlite.restoring'), 'the first half'),
  },
  {
    when: 'after it has kept the former database',
    leave(dataDir) {
      linkSync(join(dataDir, 'app.sqlite'), join(dataDir, 'app.sqlite.before-restore-2026-01-01T00-00-00.000Z'));
    },
  },
  {
    when: 'after it has kept the former log and removed it',
    leave(dataDir) {
      const kept = join(dataDir, 'app.sqlite.before-restore-2026-01-01T00-00-00.000Z');
      for (const end of ['', '-wal']) linkSync(join(dataDir, `app.sqlite${end}`), kept + end);
      for (const end of ['-shm', '-wal']) rmSync(join(dataDir, `app.sqlite${end}`));
    },
  },
];

test.each(KILLED)('a restore succeeds after an earlier one was killed $when', async ({ leave }) => {
  const backup = await makeBackup();
  const dataDir = await makeKilled('production');
  leave(dataDir);

  const { former } = await restoreSqlite(dataDir, backup);

  expect(listIds(former ?? '')).toEqual(['production']);
  expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([]);
  const { db, close } = await openServerDb({ databaseUrl: undefined, dataDir });
  onTestFinished(close);
  expect(await db.selectFrom('recentPurchase').select('id').execute()).toEqual([{ id: 'early' }]);
});

test('a restore is rejected for a database with a second hard link', async () => {
  const backup = await makeBackup();
  const dataDir = await makeKilled('production');
  linkSync(join(dataDir, 'app.sqlite'), join(makeFolder(), 'elsewhere.sqlite'));

  await expect(restoreSqlite(dataDir, backup)).rejects.toThrow('has 2 names (hard links)');
  expect(listIds(join(dataDir, 'app.sqlite'))).toEqual(['production']);
});
