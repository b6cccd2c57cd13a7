import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** Runs a pragma of SQLite, such as `journal_mode = WAL`. Returns the first column of its answer, if it has one. */
export function pragma(database: DatabaseSync, source: string): SQLOutputValue | undefined {
  const row = database.prepare(`pragma ${source}`).get();
  return row && Object.values(row)[0];
}
