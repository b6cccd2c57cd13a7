import { Migrator, type Kysely } from 'kysely';
import { initial } from './migrations/001-initial.ts';
import { recentPurchase } from './migrations/002-recent-purchase.ts';
import { standing } from './migrations/003-standing.ts';
import { auditHead } from './migrations/004-audit-head.ts';
import { configuration } from './migrations/005-configuration.ts';
import { sweepIndexes } from './migrations/006-sweep-indexes.ts';
import { attemptTraces } from './migrations/007-attempt-traces.ts';
import { failingAdvertisers } from './migrations/008-failing-advertisers.ts';
import { zonesAndClaims } from './migrations/009-zones-and-claims.ts';
import { pepperCheck } from './migrations/011-pepper-check.ts';
import type { Database } from './schema.ts';

/** In the order of their names; one that has been released is never changed, only followed by another. */
const MIGRATIONS = {
  '001-initial': initial,
  '002-recent-purchase': recentPurchase,
  '003-standing': standing,
  '004-audit-head': auditHead,
  '005-configuration': configuration,
  '006-sweep-indexes': sweepIndexes,
  '007-attempt-traces': attemptTraces,
  '008-failing-advertisers': failingAdvertisers,
  '009-zones-and-claims': zonesAndClaims,
  '011-pepper-check': pepperCheck,
};

/** Brings the database to the newest shape, or throws and leaves it as it was. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const { error } = await createMigrator(db).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error });
}

/** Whether the database has the newest shape. It is not touched. */
export async function isUpToDate(db: Kysely<Database>): Promise<boolean> {
  const migrations = await createMigrator(db).getMigrations();
  return migrations.every(({ executedAt }) => executedAt !== undefined);
}

function createMigrator(db: Kysely<Database>): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
}
