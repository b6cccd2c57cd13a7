import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/**
 * What became of attempts and how many keys there were, by day, how far these are counted, and the tokens that read
 * them. The indexes find the keys of a time.
 */
const STATEMENTS = [
  `CREATE TABLE attempt_count (
    app_id TEXT NOT NULL,
    day TEXT NOT NULL,
    step INTEGER NOT NULL,
    advertiser_id TEXT NOT NULL,
    sent INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    credited INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    PRIMARY KEY (app_id, day, step, advertiser_id)
  )`,
  `CREATE TABLE key_count (
    app_id TEXT NOT NULL,
    day TEXT NOT NULL,
    issued INTEGER NOT NULL DEFAULT 0,
    withdrawn INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, day)
  )`,
  `CREATE TABLE counted_until (
    what TEXT PRIMARY KEY,
    at BIGINT NOT NULL
  )`,
  `INSERT INTO counted_until (what, at) VALUES ('attempts', 0), ('issued', 0), ('withdrawn', 0)`,
  `CREATE TABLE stats_token (
    id TEXT PRIMARY KEY,
    app_id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_used_at BIGINT
  )`,
  `CREATE INDEX key_age ON access_key(issued_at)`,
  `CREATE INDEX key_withdrawn ON access_key(revoked_at) WHERE revoked_at IS NOT NULL`,
];

export const runStats: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await claimPage(db);
  },
};

/** The page /stats is one of the unit `tools`, unless an operator has given the path to another unit. */
async function claimPage(db: Kysely<Database>): Promise<void> {
  const units = (await db.selectFrom('unit').select(['name', 'paths']).execute()).map(({ name, paths }) => ({
    name,
    paths: JSON.parse(paths) as string[],
  }));
  const tools = units.find(({ name }) => name === 'tools');
  if (!tools || units.some(({ paths }) => paths.includes('/stats'))) return;

  const paths = JSON.stringify([...tools.paths, '/stats']);
  await db.updateTable('unit').set({ paths }).where('name', '=', 'tools').execute();
}
