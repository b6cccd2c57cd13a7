import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { EnvError } from '../env.ts';
import { prepareDataDir } from './data-dir.ts';
import { findSqliteFile } from './open-db.ts';
import { takeServerLock } from './server-lock.ts';

const PRIVATE_FILE = 0o600;

/** A database that has these tables belongs to this site, in whichever version. */
const OUR_TABLES = ['run', 'access_key', 'audit_event', 'kysely_migration'];

/**
 * Copies a SQLite database into a new file, while others may write to it. The copy shows one moment: it is made in a
 * single read, which blocks no writer. The file appears complete, checked and on the disk, or not at all.
 * @returns the size of the copy in bytes
 * @throws EnvError when the copy is not a sound database of this site, or cannot be written
 */
export function backUp(from: string, to: string): { bytes: number } {
  const draft = `${to}.${randomUUID()}`;
  try {
    copyInto(draft, from);
    renameSync(draft, to);
    syncPath(dirname(to));
    return { bytes: statSync(to).size };
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Puts a backup in the place of a stopped server's database. It also removes the log and the index of the former
 * database, because SQLite would read them as the new one's.
 * @returns where the former database is kept; undefined when there was none
 * @throws EnvError when a server is running there, or the backup is not a sound database of this site; then nothing was
 * changed
 */
export function restore(dataDir: string, from: string): { former: string | undefined } {
  prepareDataDir(dataDir);
  const unlock = takeServerLock(dataDir);
  const file = findSqliteFile(dataDir);
  const draft = `${file}.${randomUUID()}`;
  try {
    copyInto(draft, from);
    const former = existsSync(file) ? keepFormer(file) : undefined;
    rmSync(`${file}-shm`, { force: true });
    rmSync(`${file}-wal`, { force: true });
    renameSync(draft, file);
    syncPath(dirname(file));
    return { former };
  } finally {
    rmSync(draft, { force: true });
    unlock();
  }
}

function copyInto(draft: string, from: string): void {
  makeDraft(draft);
  try {
    const source = new SqliteDatabase(from, { readonly: true });
    try {
      source.prepare('vacuum into ?').run(draft);
    } finally {
      source.close();
    }
    requireSound(draft);
  } catch (error) {
    throw new EnvError(
      `${from} could not be copied as a sound database of this site (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
  syncPath(draft);
}

function makeDraft(draft: string): void {
  try {
    closeSync(openSync(draft, 'wx', PRIVATE_FILE));
  } catch (error) {
    throw new EnvError(
      `${dirname(draft)} takes no file (${error instanceof Error ? error.message : String(error)}); nothing was written`,
      { cause: error },
    );
  }
}

function requireSound(file: string): void {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    const said = database.pragma('integrity_check', { simple: true });
    if (said !== 'ok') throw new Error(String(said));
    if ((database.pragma('foreign_key_check') as unknown[]).length > 0)
      throw new Error('rows refer to rows that are not there');
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all();
    const missing = OUR_TABLES.find((name) => !tables.includes(name));
    if (missing !== undefined) throw new Error(`it has no table ${missing}`);
    if (database.prepare('select name from kysely_migration').get() === undefined)
      throw new Error('no version of this site has made it');
  } finally {
    database.close();
  }
}

/**
 * Keeps the former database under a name of its own, so that no later restore overwrites it. If it is sound, its log is
 * checkpointed into it first.
 * @returns the path of the kept file
 */
function keepFormer(file: string): string {
  const former = `${file}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`;
  try {
    const database = new SqliteDatabase(file);
    database.pragma('wal_checkpoint(truncate)');
    database.close();
  } catch {
    // A damaged database is kept as it is.
  }
  for (const end of ['', '-wal']) {
    if (existsSync(file + end)) linkSync(file + end, former + end);
  }
  return former;
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
