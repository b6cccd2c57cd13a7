import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '#api/foundation/db/schema.ts';

/**
 * A step link needs no kind: it has a URL of its own, or the link of the account is used. Rinku makes a link for every
 * visit, so a URL would mean nothing there.
 * Only one signing key is active: two servers that start at once with different keys cannot both activate theirs.
 */
const STATEMENTS = [
  `DROP TABLE step_link`,
  `CREATE TABLE step_link (
    app_id TEXT NOT NULL REFERENCES app(id),
    advertiser_id TEXT NOT NULL REFERENCES advertiser(id),
    os TEXT NOT NULL,
    step INTEGER NOT NULL,
    url TEXT,
    PRIMARY KEY (app_id, advertiser_id, os, step),
    CHECK (url IS NULL OR advertiser_id <> 'rinku')
  )`,
  `CREATE UNIQUE INDEX signing_key_one_active ON signing_key(status) WHERE status='active'`,
];

const SYSTEMS = ['android', 'android_vng', 'ios', 'windows'] as const;

/** The advertisers of each step, as in the product specification: two series in the main app, one in the companion. */
const OFFERED = [
  { appId: 'main', steps: [1], advertisers: ['linkvertise', 'rinku', 'lootlabs'] },
  { appId: 'main', steps: [2, 3], advertisers: ['linkvertise', 'workink', 'lootlabs'] },
  { appId: 'main', steps: [4, 5, 6], advertisers: ['linkvertise', 'lootlabs'] },
  { appId: 'companion', steps: [1, 2, 3], advertisers: ['linkvertise'] },
] as const;

export const configuration: Migration = {
  async up(db: Kysely<Database>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);

    const links = OFFERED.flatMap(({ appId, steps, advertisers }) =>
      steps.flatMap((step) =>
        advertisers.flatMap((advertiserId) => SYSTEMS.map((os) => ({ appId, advertiserId, os, step, url: null }))),
      ),
    );
    await db.insertInto('stepLink').values(links).execute();
  },
};
