import { sql } from 'kysely';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { isSqlite } from './dialect.ts';
import type { Db } from './schema.ts';

/**
 * Checks that the database takes writes at this moment. Changes nothing in it.
 * @throws DatabaseUnavailable when it takes none, or gives no answer in time
 */
export async function requireWritable(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // On SQLite the transaction holds the write lock by now.
    if (isSqlite(trx)) return;

    const { rows } = await sql<{
      isReadOnly: string;
    }>`select current_setting('transaction_read_only') as is_read_only`.execute(trx);
    if (rows[0]?.isReadOnly !== 'off') throw new DatabaseUnavailable('The database is read-only.');
  });
}
