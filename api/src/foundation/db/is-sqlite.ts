import { SqliteAdapter } from 'kysely';
import type { Db } from './schema.ts';

/** Whether a database is SQLite. Otherwise it is PostgreSQL. */
export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}
