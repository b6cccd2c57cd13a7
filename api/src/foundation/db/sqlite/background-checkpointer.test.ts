import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { checkpointLog } from './background-checkpointer.ts';
import { sqlite } from './sqlite.ts';

interface Notes {
  note: { id: number };
}

/** Node runs the source as it is; a server has it built. */
const WORKER = join(import.meta.dirname, 'checkpoint-worker.ts');

async function writeNotes(db: Kysely<Notes>, count: number): Promise<void> {
  await sql`create table note (id integer primary key)`.execute(db);
  for (let id = 0; id < count; id++) await db.insertInto('note').values({ id }).execute();
}

/** How many notes the database file has without its log. */
function countWithoutLog(folder: string): number {
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(join(folder, 'a.sqlite'), copy);
  const database = new DatabaseSync(copy);
  try {
    return Number(database.prepare('select count(*) as notes from note').get()?.['notes'] ?? 0);
  } catch {
    return 0;
  } finally {
    database.close();
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  }
}

test('the checkpoint thread runs after a hundred commits, and the last connection removes the log', async () => {
  const folder = makeFolder();
  const file = join(folder, 'a.sqlite');
  const db = new Kysely<Notes>({ dialect: sqlite(file, { checkpointWorker: WORKER }) });
  await writeNotes(db, 100);

  // If the thread takes longer to start than the hundred commits, it checkpoints at the next commit.
  let written = 100;
  await vi.waitFor(
    async () => {
      await db.insertInto('note').values({ id: written++ }).execute();
      expect(countWithoutLog(folder)).toBeGreaterThanOrEqual(100);
    },
    { timeout: 15_000 },
  );
  await db.destroy();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(countWithoutLog(folder)).toBe(written);
});

test('an idle program keeps running until the database is closed', () => {
  const file = JSON.stringify(join(makeFolder(), 'a.sqlite'));
  const code = `
    import { Kysely, sql } from 'kysely';
    import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';
    const db = new Kysely({ dialect: sqlite(${file}, { checkpointWorker: ${JSON.stringify(WORKER)} }) });
    await sql\`create table note (id integer primary key)\`.execute(db);
    await db.destroy();
    console.log('closed');`;
  const cwd = join(import.meta.dirname, '../../../..');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd,
    encoding: 'utf8',
  });

  expect(stdout, stderr).toBe('closed\n');
});

test('a checkpoint blocks writers only after the database file is synced', () => {
  const order: string[] = [];
  const answers = new DatabaseSync(':memory:');
  const checkpoint = (log: number) =>
    checkpointLog(
      {
        prepare(source) {
          order.push(source);
          return answers.prepare(`select ${log} as log`);
        },
      },
      () => order.push('synced'),
    );

  checkpoint(100);
  expect(order.splice(0)).toEqual(['pragma wal_checkpoint(PASSIVE)']);
  checkpoint(20_000);
  expect(order).toEqual(['pragma wal_checkpoint(PASSIVE)', 'synced', 'pragma wal_checkpoint(RESTART)']);
});

test('when the checkpoint thread exits by itself a warning is logged, and SQLite checkpoints from then on', async () => {
  const folder = makeFolder();
  const warn = vi.fn();
  const db = new Kysely<Notes>({
    dialect: sqlite(join(folder, 'a.sqlite'), { checkpointWorker: join(folder, 'nowhere.js'), warn }),
  });
  await writeNotes(db, 150);
  await expect.poll(() => warn).toHaveBeenCalledOnce();
  expect((warn.mock.calls[0] as [Error])[0].message).toContain('The checkpoint thread has ended');

  const { rows } = await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(db);
  expect(rows).toEqual([{ wal_autocheckpoint: 1000 }]);
  await db.destroy();
  expect(countWithoutLog(folder)).toBe(150);
});

test('when the checkpoint thread exits during a checkpoint, SQLite checkpoints by itself again', async () => {
  const folder = makeFolder();
  const script = join(folder, 'mortal.mjs');
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3)); parentPort.postMessage('ready');`,
  );
  const warn = vi.fn();
  const db = new Kysely<Notes>({ dialect: sqlite(join(folder, 'a.sqlite'), { checkpointWorker: script, warn }) });
  const habit = async () =>
    (await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(db)).rows[0]?.wal_autocheckpoint;
  await expect.poll(() => habit()).toBe(0);

  await writeNotes(db, 100);
  await expect.poll(() => warn).toHaveBeenCalledOnce();

  expect(await habit()).toBe(1000);
  await db.destroy();
});
