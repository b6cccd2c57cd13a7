import { sql, type RawBuilder } from 'kysely';
import { isSqlite } from './is-sqlite.ts';
import type { Db } from './schema.ts';

/** The time of the database in epoch milliseconds, for what several servers compare: their own clocks may differ. */
export function databaseNow(db: Db): RawBuilder<number> {
  return isSqlite(db)
    ? sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
    : sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`;
}
