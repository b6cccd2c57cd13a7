import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { postgres } from '#api/foundation/db/postgres.ts';

/**
 * Creates a database on a PostgreSQL server, by default without tables.
 * @param server the address of the server
 * @param from the database that it is a copy of
 */
export async function makeDatabase(server: string, from = 'template1') {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const db = withDialect(postgres({ connectionString: server, max: 1 }));
  await sql`create database ${sql.id(name)} template ${sql.id(from)}`.execute(db);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    /** Drops it, with its connections. */
    drop: async () => {
      await sql`drop database ${sql.id(name)} with (force)`.execute(db);
      await db.destroy();
    },
  };
}

/** Creates a database that is dropped after the test. Returns its address. */
export async function createDatabase(server: string, from?: string): Promise<string> {
  const { url, drop } = await makeDatabase(server, from);
  onTestFinished(drop);
  return url;
}
