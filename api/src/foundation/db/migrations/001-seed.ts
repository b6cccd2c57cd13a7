import type { Kysely } from 'kysely';
import type { Database } from '#api/foundation/db/schema.ts';

const KEY_TTL_MS = 24 * 60 * 60 * 1000;

/**
 * Inserts the apps and the advertisers. `minDwellMs` is the shortest time in which a person can finish at the
 * advertiser.
 */
export async function seedConfiguration(db: Kysely<Database>): Promise<void> {
  await db
    .insertInto('app')
    .values([
      { id: 'main', stepsPerSeries: 3, seriesRequired: 2, keyTtlMs: KEY_TTL_MS },
      { id: 'companion', stepsPerSeries: 3, seriesRequired: 1, keyTtlMs: KEY_TTL_MS },
    ])
    .execute();
  await db
    .insertInto('advertiser')
    .values([
      { id: 'linkvertise', proof: 'token', minDwellMs: 15_000 },
      { id: 'workink', proof: 'token', minDwellMs: 15_000 },
      { id: 'lootlabs', proof: 'postback', minDwellMs: 20_000 },
      { id: 'rinku', proof: 'secret_url', minDwellMs: 10_000 },
    ])
    .execute();
}
