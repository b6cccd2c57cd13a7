import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { insertAttempt, insertRun } from '#api/test/build-rows.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { openDb } from './open-db.ts';

test('SQLite uses a write-ahead log, enforces foreign keys, and does not block on other programs within a statement', async () => {
  const db = openDb({ databaseUrl: undefined, dataDir: makeFolder() });
  onTestFinished(() => db.destroy());

  const read = async (pragma: string) =>
    Object.values((await sql`pragma ${sql.raw(pragma)}`.execute(db)).rows[0] as object)[0] as unknown;

  expect(await read('journal_mode')).toBe('wal');
  expect(await read('foreign_keys')).toBe(1);
  expect(await read('busy_timeout')).toBe(0);
});

describeEachDatabase('references', (db) => {
  test('rows that violate a foreign key can be neither inserted nor left by a deletion', async () => {
    const run = await insertRun(db());

    await expect(insertAttempt(db(), { ...run, id: 'no run' })).rejects.toThrow();
    await expect(db().updateTable('run').set({ deviceId: 'no device' }).execute()).rejects.toThrow(/foreign key/i);
    await expect(db().deleteFrom('device').execute()).rejects.toThrow(/foreign key/i);
  });
});
