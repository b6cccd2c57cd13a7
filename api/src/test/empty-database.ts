import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { withDialect } from '#api/db/open-db.ts';
import { postgres } from '#api/db/postgres.ts';

/**
 * Creates a database without tables on a PostgreSQL server. It ends with the test, also while somebody is connected.
 * @param server the address of the server
 * @returns the address of the database
 */
export async function createEmptyDatabase(server: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const db = withDialect(postgres({ connectionString: server, max: 1 }));
  await sql`create database ${sql.id(name)}`.execute(db);
  onTestFinished(async () => {
    await sql`drop database ${sql.id(name)} with (force)`.execute(db);
    await db.destroy();
  });

  const own = new URL(server);
  own.pathname = `/${name}`;
  return own.href;
}
