import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';

/** A database in a file that other programs can open too. */
export async function openSqliteFile(): Promise<{ file: string; db: Db }> {
  const file = join(makeFolder(), 'a.sqlite');
  const db = withDialect(sqlite(file));
  onTestFinished(() => db.destroy());
  await migrate(db);
  return { file, db };
}

/** Starts another program that takes the write lock of the file and keeps it until `letGo`. */
export async function holdWriteLock(file: string): Promise<{ letGo: () => Promise<void> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
    database.exec('begin immediate');
    process.stdout.write('held');
    process.stdin.once('end', () => { database.exec('rollback'); process.exit(); }).resume();`;
  const holder = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(holder, 'exit');
  const letGo = async () => {
    holder.stdin.end();
    await gone;
  };
  onTestFinished(letGo);
  await once(holder.stdout, 'data');
  return { letGo };
}
