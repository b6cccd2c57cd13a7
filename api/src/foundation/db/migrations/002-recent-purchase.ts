import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** The rows that the feed of purchases shows. `is_demo` marks those that only demonstrate it. */
const STATEMENTS = [
  `CREATE TABLE recent_purchase (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    location TEXT NOT NULL,
    country_code TEXT NOT NULL,
    bought_at BIGINT NOT NULL,
    is_demo INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE INDEX recent_purchase_bought_at ON recent_purchase(bought_at)`,
];

export const recentPurchase: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
