import { copyFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { relaxed } from './durable-driver.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { durable } from './sqlite.ts';

interface Notes {
  note: { id: number; text: string };
}

async function openNotes(file: string, log: GroupCommit): Promise<Kysely<Notes>> {
  const db = new Kysely<Notes>({ dialect: durable(new DatabaseSync(file), log) });
  onTestFinished(() => db.destroy());
  await sql`create table note (id integer primary key, text text not null unique)`.execute(db);
  return db;
}

/** A log whose syncs end only when the test says so. */
function createHeldLog(): GroupCommit & { isHeld: boolean; letGo: () => void } {
  let waiting: (() => void)[] = [];
  const held = {
    isHeld: false,
    sync: () => (held.isHeld ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve()),
    pending: () => (waiting.length > 0 ? held.sync() : undefined),
    close: () => Promise.resolve(),
    letGo() {
      held.isHeld = false;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  };
  return held;
}

/** Lets all pending promises settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('commits that wait for the disk do not block writers, and are not visible to readers before the sync', async () => {
  const log = createHeldLog();
  const file = join(makeFolder(), 'a.sqlite');
  const db = await openNotes(file, log);
  const done: string[] = [];
  log.isHeld = true;

  void db
    .transaction()
    .execute((trx) => trx.insertInto('note').values({ id: 1, text: 'one' }).execute())
    .then(() => done.push('transaction'));
  void db
    .insertInto('note')
    .values({ id: 2, text: 'two' })
    .execute()
    .then(() => done.push('statement'));
  void db
    .selectFrom('note')
    .selectAll()
    .execute()
    .then((rows) => done.push(`read ${rows.length}`));
  await settle();
  expect(done).toEqual([]);
  expect(new DatabaseSync(file).prepare('select id from note').all()).toMatchObject([{ id: 1 }, { id: 2 }]);

  log.letGo();
  await settle();
  expect(done.sort()).toEqual(['read 2', 'statement', 'transaction']);
});

test('a statement with relaxed durability is visible to writers at once, and to readers after the sync', async () => {
  const log = createHeldLog();
  const file = join(makeFolder(), 'a.sqlite');
  const db = await openNotes(file, log);
  const done: string[] = [];
  log.isHeld = true;

  const insert = db.insertInto('note').values({ id: 1, text: 'one' }).returning('id');
  expect((await db.executeQuery(relaxed(insert.compile()))).rows).toEqual([{ id: 1 }]);
  expect(new DatabaseSync(file).prepare('select id from note').all()).toMatchObject([{ id: 1 }]);
  await expect(db.executeQuery(relaxed(insert.compile()))).rejects.toThrow('UNIQUE');
  void db
    .selectFrom('note')
    .select('id')
    .execute()
    .then((rows) => done.push(`read ${rows.length}`));
  await settle();
  expect(done).toEqual([]);

  log.letGo();
  await settle();
  expect(done).toEqual(['read 1']);
});

test('a read does not wait when no sync is pending', async () => {
  const log = createHeldLog();
  const db = await openNotes(join(makeFolder(), 'a.sqlite'), log);
  log.isHeld = true;

  expect(await db.selectFrom('note').selectAll().execute()).toEqual([]);
  expect((await sql`SELECT id FROM note`.execute(db)).rows).toEqual([]);
});

test('transactions stay isolated although each starts the next before its sync', async () => {
  const file = join(makeFolder(), 'a.sqlite');
  const db = await openNotes(
    file,
    createGroupCommit(() => open(`${file}-wal`, 'r+')),
  );

  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, id) =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('note')
          .values({ id, text: `note ${id}` })
          .execute();
        await settle();
        if (id % 4 === 0) throw new Error('changed its mind');
      }),
    ),
  );

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
  expect(
    await db
      .selectFrom('note')
      .select('id')
      .where(sql<boolean>`id % 4 = 0`)
      .execute(),
  ).toEqual([]);
  expect(await db.selectFrom('note').selectAll().execute()).toHaveLength(30);
});

test('a connection without a transaction takes the mutex for each statement', async () => {
  const file = join(makeFolder(), 'a.sqlite');
  const db = await openNotes(
    file,
    createGroupCommit(() => open(`${file}-wal`, 'r+')),
  );

  await Promise.all([
    db.connection().execute(async (connection) => {
      for (let id = 0; id < 20; id++)
        await connection
          .insertInto('note')
          .values({ id, text: `mine ${id}` })
          .execute();
    }),
    ...Array.from({ length: 20 }, (_, id) =>
      db
        .transaction()
        .execute(async (trx) => {
          await trx
            .insertInto('note')
            .values({ id: 100 + id, text: `theirs ${id}` })
            .execute();
          await settle();
          throw new Error('changed its mind');
        })
        .catch(() => undefined),
    ),
  ]);

  expect(await db.selectFrom('note').selectAll().execute()).toHaveLength(20);
});

test('after a disk failure no commit is acknowledged and no read returns', async () => {
  const failing = createGroupCommit(() =>
    Promise.resolve({ datasync: () => Promise.reject(new Error('EIO')), close: () => Promise.resolve() }),
  );
  const file = join(makeFolder(), 'a.sqlite');
  const db = new Kysely<Notes>({ dialect: durable(new DatabaseSync(file), failing) });
  onTestFinished(() => db.destroy());

  await expect(
    db.transaction().execute((trx) => sql`create table note (id integer, text text)`.execute(trx)),
  ).rejects.toThrow('EIO');
  await expect(sql`create table other (id integer)`.execute(db)).rejects.toThrow('start the server again');
  // What did not wait for the disk fails nothing by itself; the commit after it does.
  const insert = db.insertInto('note').values({ id: 1, text: 'one' }).returning('id');
  expect((await db.executeQuery(relaxed(insert.compile()))).rows).toEqual([{ id: 1 }]);
  // The row is in the log, but a power cut could still remove it.
  await expect(db.selectFrom('note').select('id').execute()).rejects.toThrow('start the server again');
});

test('whole numbers are computed with and stored as such', async () => {
  const db = await openNotes(join(makeFolder(), 'a.sqlite'), createHeldLog());

  await sql`insert into note (id, text) values (${1}, ${3})`.execute(db);

  const { rows } = await sql`select ${7} / ${2} as half, ${0.5} as fraction, text from note`.execute(db);
  expect(rows).toEqual([{ half: 3, fraction: 0.5, text: '3' }]);
});

test('an insert of several rows is rejected when one lacks a column: null would be stored instead of the default', async () => {
  const db = await openNotes(join(makeFolder(), 'a.sqlite'), createHeldLog());
  const rows = [{ id: 1, text: 'one' }, { id: 2 }] as { id: number; text: string }[];

  await expect(db.insertInto('note').values(rows).execute()).rejects.toThrow('give all rows the same columns');
});

test('an insert that met a conflict tells of no row', async () => {
  const db = await openNotes(join(makeFolder(), 'a.sqlite'), createHeldLog());
  const insert = () =>
    db
      .insertInto('note')
      .values({ id: 7, text: 'one' })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst();
  await insert();

  expect(await insert()).toEqual({ numInsertedOrUpdatedRows: 0n, insertId: undefined });
});

test('rejects a database that cannot use a write-ahead log', () => {
  const database = new DatabaseSync(join(makeFolder(), 'a.sqlite'));
  onTestFinished(() => void database.close());
  const prepare = database.prepare.bind(database);
  // SQLite's answer on a network disk.
  vi.spyOn(database, 'prepare').mockImplementation((source) =>
    prepare(source === 'pragma journal_mode = WAL' ? "select 'delete' as journal_mode" : source),
  );

  expect(() => durable(database, undefined)).toThrow(
    /^DATA_DIR: the journal mode of .* is delete and cannot be made WAL/,
  );
});

test('a power failure at any moment loses no acknowledged commit', async () => {
  const folder = makeFolder();
  const file = join(folder, 'a.sqlite');
  let onDisk = 0;
  // Everything that was not synced before the power cut counts as lost.
  const log = createGroupCommit(async () => {
    const wal = await open(`${file}-wal`, 'r+');
    return {
      async datasync() {
        const { size } = await wal.stat();
        await wal.datasync();
        onDisk = size;
      },
      close: () => wal.close(),
    };
  });
  const db = await openNotes(file, log);

  const lost: number[] = [];
  await Promise.all(
    Array.from({ length: 60 }, async (_, id) => {
      await settle();
      await db.transaction().execute((trx) =>
        trx
          .insertInto('note')
          .values({ id, text: `note ${id}` })
          .execute(),
      );
      if (!afterPowerCut(folder, onDisk).includes(id)) lost.push(id);
    }),
  );

  expect(statSync(`${file}-wal`).size).toBeGreaterThanOrEqual(onDisk);
  expect(lost).toEqual([]);
});

/** The ids in the database, with only that much of its log as had reached the disk. */
function afterPowerCut(folder: string, onDisk: number): number[] {
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(join(folder, 'a.sqlite'), copy);
  copyFileSync(join(folder, 'a.sqlite-wal'), `${copy}-wal`);
  truncateSync(`${copy}-wal`, onDisk);

  const database = new DatabaseSync(copy);
  const ids = database
    .prepare('select id from note')
    .all()
    .map(({ id }) => Number(id));
  database.close();
  for (const path of [copy, `${copy}-wal`, `${copy}-shm`]) rmSync(path, { force: true });
  return ids;
}
