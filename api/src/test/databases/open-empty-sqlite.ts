import { DatabaseSync } from 'node:sqlite';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { durable } from '#api/foundation/db/sqlite/sqlite.ts';

let migrated: Promise<Uint8Array> | undefined;

/** Opens a database in memory with all tables. It is a copy, because migrations take longer than most tests. */
export async function openEmptySqlite(): Promise<Db> {
  migrated ??= makeMigrated();
  const database = new DatabaseSync(':memory:');
  database.deserialize(await migrated);
  return withDialect(durable(database, undefined));
}

async function makeMigrated(): Promise<Uint8Array> {
  const database = new DatabaseSync(':memory:');
  const db = withDialect(durable(database, undefined));
  await migrate(db);
  const bytes = database.serialize();
  await db.destroy();
  return bytes;
}
