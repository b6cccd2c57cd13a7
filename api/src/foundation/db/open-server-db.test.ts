import { chmodSync, copyFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildPurchase } from '#api/test/build-rows.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { openDb } from './open-db.ts';
import { openServerDb } from './open-server-db.ts';

const open = (dataDir: string) => openServerDb({ databaseUrl: undefined, dataDir });

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a second server is rejected while the first is running; other programs are not', async () => {
  const dataDir = makeFolder();
  const first = await open(dataDir);

  await expect(open(dataDir)).rejects.toThrow(`DATA_DIR: another server works with ${dataDir}`);
  const operator = openDb({ databaseUrl: undefined, dataDir });
  await operator.insertInto('recentPurchase').values(buildPurchase()).execute();
  await operator.destroy();
  expect(await first.db.selectFrom('recentPurchase').select('id').execute()).toHaveLength(1);

  await first.close();
  await (await open(dataDir)).close();
});

test('a second server that reaches the same database through another folder is rejected until the first one stops', async () => {
  const [dataDir, other] = [makeFolder(), makeFolder()];
  const first = await open(dataDir);
  symlinkSync(join(dataDir, 'app.sqlite'), join(other, 'app.sqlite'));

  await expect(open(other)).rejects.toThrow(`DATA_DIR: another server works with ${other}`);
  await first.close();

  const second = await open(other);
  onTestFinished(second.close);
  await expect(open(dataDir)).rejects.toThrow(`DATA_DIR: another server works with ${dataDir}`);
});

test('a server on PostgreSQL is rejected for a folder in use by another, before it contacts the database', async () => {
  const dataDir = makeFolder();
  const first = await open(dataDir);
  onTestFinished(first.close);

  const second = openServerDb({ databaseUrl: 'postgres://unknown@127.0.0.1:1/keys', dataDir });

  await expect(second).rejects.toThrow(`DATA_DIR: another server works with ${dataDir}`);
});

test('a failed start releases the lock of the folder', async () => {
  const dataDir = makeFolder();
  await expect(openServerDb({ databaseUrl: 'postgres://unknown@127.0.0.1:1/keys', dataDir })).rejects.toThrow(
    'DATABASE_URL',
  );

  await (await open(dataDir)).close();
});

test('the lock of the folder is released after the database is closed', async () => {
  const dataDir = makeFolder();
  const { db, close } = await open(dataDir);
  const destroy = db.destroy.bind(db);
  vi.spyOn(db, 'destroy').mockImplementation(async () => {
    await expect(open(dataDir)).rejects.toThrow('DATA_DIR');
    await destroy();
  });

  await close();

  await (await open(dataDir)).close();
});

/** Counts the asynchronous syncs of files in this process. */
async function countSyncs() {
  const file = await openFile(import.meta.filename);
  const datasync = vi.spyOn(Object.getPrototypeOf(file) as typeof file, 'datasync');
  await file.close();
  return datasync;
}

test('commits to a database behind a symbolic link reach the disk as well', async () => {
  const [dataDir, other] = [makeFolder(), makeFolder()];
  await (await open(dataDir)).close();
  symlinkSync(join(dataDir, 'app.sqlite'), join(other, 'app.sqlite'));
  const { db, close } = await open(other);
  onTestFinished(close);
  const datasync = await countSyncs();

  await db.insertInto('recentPurchase').values(buildPurchase()).execute();

  expect(datasync).toHaveBeenCalledOnce();
});

test('a start beside a program that reads an old snapshot logs it, and syncs the log to the disk instead', async () => {
  const dataDir = makeFolder();
  await (await open(dataDir)).close();
  const reader = new DatabaseSync(join(dataDir, 'app.sqlite'));
  onTestFinished(() => void reader.close());
  reader.exec('begin; select * from recent_purchase');
  const killed = new DatabaseSync(join(dataDir, 'app.sqlite'));
  onTestFinished(() => void killed.close());
  killed.exec(
    "insert into recent_purchase (id, name, location, country_code, bought_at) values ('left', 'Ada', 'London', 'GB', 1)",
  );
  const [warn, datasync] = [vi.fn<(error: Error) => void>(), await countSyncs()];

  const { db, close } = await openServerDb({ databaseUrl: undefined, dataDir, warn });
  onTestFinished(close);

  expect(statSync(join(dataDir, 'app.sqlite-wal')).size).toBeGreaterThan(0);
  expect(datasync).toHaveBeenCalled();
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ message: expect.stringMatching(/^Another program .* stays in the log/) as string })],
  ]);
  expect(await db.selectFrom('recentPurchase').select('id').execute()).toEqual([{ id: 'left' }]);
});

test('commits that a killed server left in the log are on the disk before the first response', async () => {
  const [killed, dataDir] = [makeFolder(), makeFolder()];
  const { db, close } = await open(killed);
  await db
    .insertInto('recentPurchase')
    .values(buildPurchase({ id: 'left' }))
    .execute();
  for (const end of ['', '-wal']) copyFileSync(join(killed, `app.sqlite${end}`), join(dataDir, `app.sqlite${end}`));
  await close();

  const started = await open(dataDir);
  onTestFinished(started.close);

  expect(statSync(join(dataDir, 'app.sqlite-wal')).size).toBe(0);
  copyFileSync(join(dataDir, 'app.sqlite'), join(killed, 'copy.sqlite'));
  const copy = new DatabaseSync(join(killed, 'copy.sqlite'));
  expect(copy.prepare('select id from recent_purchase').all()).toMatchObject([{ id: 'left' }]);
  copy.close();
});

test('folder and files are accessible only to the server’s user, even if an earlier version created them', async () => {
  const dataDir = join(makeFolder(), 'deep/var');
  const first = await open(dataDir);
  await first.db.insertInto('recentPurchase').values(buildPurchase()).execute();
  expect(modeOf(dataDir)).toBe('700');
  expect(readdirSync(dataDir).sort()).toEqual(['app.sqlite', 'app.sqlite-shm', 'app.sqlite-wal', 'server.lock']);
  for (const name of readdirSync(dataDir)) expect(modeOf(join(dataDir, name)), name).toBe('600');
  await first.close();

  chmodSync(dataDir, 0o755);
  chmodSync(join(dataDir, 'app.sqlite'), 0o644);
  const second = await open(dataDir);
  onTestFinished(second.close);
  await second.db.insertInto('recentPurchase').values(buildPurchase()).execute();
  expect(modeOf(dataDir)).toBe('700');
  for (const name of readdirSync(dataDir)) expect(modeOf(join(dataDir, name)), name).toBe('600');
});

test('files that a killed server of an earlier version left readable by others are restricted at the next open', async () => {
  const [running, killed] = [makeFolder(), makeFolder()];
  const first = await open(running);
  onTestFinished(first.close);
  await first.db.insertInto('recentPurchase').values(buildPurchase()).execute();
  for (const name of ['app.sqlite', 'app.sqlite-wal', 'app.sqlite-shm']) {
    copyFileSync(join(running, name), join(killed, name));
    chmodSync(join(killed, name), 0o644);
  }

  const operator = openDb({ databaseUrl: undefined, dataDir: killed });
  onTestFinished(() => operator.destroy());
  expect(await operator.selectFrom('recentPurchase').select('id').execute()).toHaveLength(1);

  expect(readdirSync(killed)).toContain('app.sqlite-wal');
  for (const name of readdirSync(killed)) expect(modeOf(join(killed, name)), name).toBe('600');
});

test('a folder shared with other users keeps its permissions; the database in it is restricted', async () => {
  const dataDir = makeFolder();
  chmodSync(dataDir, 0o1777);

  const server = await open(dataDir);
  onTestFinished(server.close);

  expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
  for (const name of readdirSync(dataDir)) expect(modeOf(join(dataDir, name)), name).toBe('600');
});
