import SqliteDatabase from 'better-sqlite3';
import { migrate } from '#api/db/migrate.ts';
import { withDialect } from '#api/db/open-db.ts';
import type { Db } from '#api/db/schema.ts';
import { durable } from '#api/db/sqlite.ts';

let migrated: Promise<Buffer> | undefined;

/** Opens a database in memory with all tables. It is a copy, because migrations take longer than most tests. */
export async function openEmptySqlite(): Promise<Db> {
  migrated ??= makeMigrated();
  return withDialect(durable(new SqliteDatabase(await migrated), undefined));
}

async function makeMigrated(): Promise<Buffer> {
  const database = new SqliteDatabase(':memory:');
  const db = withDialect(durable(database, undefined));
  await migrate(db);
  const bytes = database.serialize();
  await db.destroy();
  return bytes;
}
