import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/** The unit that has the pages of runs. */
const PAGES_OF = 'key-system';

const DAY_MS = 24 * 60 * 60_000;

/**
 * What operators say of an app. The columns are null for the apps of the specification, of which the code says it. The
 * sandbox gets its advertiser with its first run: servers of the previous release know no such advertiser.
 */
const STATEMENTS = [
  ...['name', 'scheme', 'colour', 'contact', 'advertisers'].map(
    (column) => `ALTER TABLE app ADD COLUMN ${column} TEXT`,
  ),
  `INSERT INTO app (id, steps_per_series, series_required, key_ttl_ms, name, colour, advertisers)
    VALUES ('sandbox', 1, 1, ${String(DAY_MS)}, 'Sandbox', 'blue', 'sandbox')`,
];

export const registeredApps: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);

    const unit = await db.selectFrom('unit').select('paths').where('name', '=', PAGES_OF).executeTakeFirst();
    if (!unit) return;
    const paths = [...(JSON.parse(unit.paths) as string[]), '/apps/*'];
    await db
      .updateTable('unit')
      .set({ paths: JSON.stringify(paths) })
      .where('name', '=', PAGES_OF)
      .execute();
  },
};
