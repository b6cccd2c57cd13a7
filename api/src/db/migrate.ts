import { Migrator, type Migration } from 'kysely';
import { initial } from './migrations/001-initial.ts';
import { recentPurchase } from './migrations/002-recent-purchase.ts';
import { standing } from './migrations/003-standing.ts';
import { auditHead } from './migrations/004-audit-head.ts';
import { configuration } from './migrations/005-configuration.ts';
import { sweepIndexes } from './migrations/006-sweep-indexes.ts';
import { attemptTraces } from './migrations/007-attempt-traces.ts';
import { failingAdvertisers } from './migrations/008-failing-advertisers.ts';
import { zonesAndClaims } from './migrations/009-zones-and-claims.ts';
import { pepperCheck } from './migrations/010-pepper-check.ts';
import { passOwner } from './migrations/011-pass-owner.ts';
import { confirmedAttempts } from './migrations/012-confirmed-attempts.ts';
import { isHalfDone, resuming } from './resume-migration.ts';
import type { Db } from './schema.ts';

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
  '010-pepper-check': pepperCheck,
  '011-pass-owner': passOwner,
  '012-confirmed-attempts': confirmedAttempts,
};

export type MigrationName = keyof typeof MIGRATIONS;

/** Every shape that a database has had, oldest first. */
export const MIGRATION_NAMES = Object.keys(MIGRATIONS) as MigrationName[];

/** The last one that was once done statement by statement, and so may have been left half done. */
const LAST_IN_PIECES: MigrationName = '008-failing-advertisers';

/**
 * Brings the database to the newest shape, or throws and leaves it as it was: all of it is one transaction.
 * @param upTo the shape to stop at, for whoever needs an older one
 */
export async function migrate(db: Db, upTo?: MigrationName): Promise<void> {
  const error = await attempt(db, MIGRATIONS, upTo);
  const remaining = isHalfDone(error) ? await attempt(db, resumed(), upTo) : error;
  if (remaining !== undefined) throw new Error('The database could not be migrated.', { cause: remaining });
}

/** Whether the database has the newest shape. It is not touched. */
export async function isUpToDate(db: Db): Promise<boolean> {
  const migrations = await createMigrator(db, MIGRATIONS).getMigrations();
  return migrations.every(({ executedAt }) => executedAt !== undefined);
}

async function attempt(
  db: Db,
  migrations: Record<string, Migration>,
  upTo: MigrationName | undefined,
): Promise<unknown> {
  const migrator = createMigrator(db, migrations);
  const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
  return error;
}

function resumed(): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries<Migration>(MIGRATIONS).map(([name, migration]) => [
      name,
      name <= LAST_IN_PIECES ? resuming(migration) : migration,
    ]),
  );
}

function createMigrator(db: Db, migrations: Record<string, Migration>): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
}
