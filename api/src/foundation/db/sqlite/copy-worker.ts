import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { OUR_TABLES } from '#api/foundation/db/schema.ts';

/** How long another program may keep a file for itself, in milliseconds. Without it SQLite refuses at once. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Copies a SQLite database into an empty file in a single read, and throws when the copy is not a sound database of this
 * site. It runs in a thread, because SQLite blocks the thread that it works in.
 */
const { from, to } = workerData as { from: string; to: string };
const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
try {
  source.prepare('vacuum into ?').run(to);
} finally {
  source.close();
}
requireSound(to);

function requireSound(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const integrity = database.prepare('pragma integrity_check').get()?.['integrity_check'];
    if (integrity !== 'ok') throw new Error(String(integrity));
    if (database.prepare('pragma foreign_key_check').get() !== undefined)
      throw new Error('rows refer to rows that are not there');
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    const missing = OUR_TABLES.find((name) => !tables.some((table) => table['name'] === name));
    if (missing !== undefined) throw new Error(`it has no table ${missing}`);
    if (database.prepare('select name from kysely_migration').get() === undefined)
      throw new Error('no version of this site has made it');
  } finally {
    database.close();
  }
}
