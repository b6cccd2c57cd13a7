import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { postgres } from '#api/foundation/db/postgres.ts';

/**
 * Creates a database on a PostgreSQL server, by default without tables. It is dropped after the test, with its connections.
 * @param server the address of the server
 * @param from the database that it is a copy of
 * @returns the address of the database
 */
export async function createDatabase(server: string, from = 'template1'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const db = withDialect(postgres({ connectionString: server, max: 1 }));
  await sql`create database ${sql.id(name)} template ${sql.id(from)}`.execute(db);
  onTestFinished(async () => {
    await sql`drop database ${sql.id(name)} with (force)`.execute(db);
    await db.destroy();
  });

  const own = new URL(server);
  own.pathname = `/${name}`;
  return own.href;
}
