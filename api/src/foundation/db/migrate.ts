import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration';
import { initial } from './migrations/001-initial.ts';
import { recentPurchase } from './migrations/002-recent-purchase.ts';
import { eligibility } from './migrations/003-standing.ts';
import { auditHead } from './migrations/004-audit-head.ts';
import { configuration } from './migrations/005-configuration.ts';
import { sweepIndexes } from './migrations/006-sweep-indexes.ts';
import { attemptTraces } from './migrations/007-attempt-traces.ts';
import { failingAdvertisers } from './migrations/008-failing-advertisers.ts';
import { zonesAndClaims } from './migrations/009-zones-and-claims.ts';
import { pepperCheck } from './migrations/010-pepper-check.ts';
import { passOwner } from './migrations/011-pass-owner.ts';
import { confirmedAttempts } from './migrations/012-confirmed-attempts.ts';
import { usualRun } from './migrations/013-usual-run.ts';
import { payments } from './migrations/014-till.ts';
import { releases } from './migrations/015-releases.ts';
import { sealedAudit } from './migrations/016-sealed-audit.ts';
import { servers } from './migrations/017-servers.ts';
import { mailboxes } from './migrations/018-mailboxes.ts';
import { pinnedUntil } from './migrations/019-pinned-until.ts';
import { releasePieces } from './migrations/020-release-pieces.ts';
import { registeredApps } from './migrations/021-registered-apps.ts';
import { runStats } from './migrations/022-run-stats.ts';
import { webhooks } from './migrations/023-webhooks.ts';
import { trustedCi } from './migrations/024-trusted-ci.ts';
import { fieldTimings } from './migrations/025-field-timings.ts';
import { paymentsOfOrders } from './migrations/026-payments-of-orders.ts';
import { networkHolders } from './migrations/027-network-holders.ts';
import { usedIdTokens } from './migrations/029-ci-used-once.ts';
import { retentionIndexes } from './migrations/028-retention-indexes.ts';
import { uptime } from './migrations/030-uptime.ts';
import { fetchedKeys } from './migrations/031-fetched-keys.ts';
import { usualVisits } from './migrations/032-usual-visits.ts';
import { leanAudit } from './migrations/033-lean-audit.ts';
import { isSqlite } from './dialect.ts';
import type { Db } from './schema.ts';

/**
 * The SQL of each migration, for both databases. Applied in the order of their names. A released migration is never changed; a new one follows it. Servers of two
 * releases may work on one database, so a migration only adds. One that takes something away has `-remove-` in its name,
 * and comes a release after the code has stopped to use it.
 */
const MIGRATIONS = {
  '001-initial': initial,
  '002-recent-purchase': recentPurchase,
  '003-standing': eligibility,
  '004-audit-head': auditHead,
  '005-configuration': configuration,
  '006-sweep-indexes': sweepIndexes,
  '007-attempt-traces': attemptTraces,
  '008-failing-advertisers': failingAdvertisers,
  '009-zones-and-claims': zonesAndClaims,
  '010-pepper-check': pepperCheck,
  '011-pass-owner': passOwner,
  '012-confirmed-attempts': confirmedAttempts,
  '013-usual-run': usualRun,
  '014-till': payments,
  '015-releases': releases,
  '016-sealed-audit': sealedAudit,
  '017-servers': servers,
  '018-mailboxes': mailboxes,
  '019-pinned-until': pinnedUntil,
  '020-release-pieces': releasePieces,
  '021-registered-apps': registeredApps,
  '022-run-stats': runStats,
  '023-webhooks': webhooks,
  '024-trusted-ci': trustedCi,
  '025-field-timings': fieldTimings,
  '026-payments-of-orders': paymentsOfOrders,
  '027-network-holders': networkHolders,
  '028-retention-indexes': retentionIndexes,
  '029-ci-used-once': usedIdTokens,
  '030-uptime': uptime,
  '031-fetched-keys': fetchedKeys,
  '032-usual-visits': usualVisits,
  '033-lean-audit': leanAudit,
} satisfies Record<string, string | ((isSqlite: boolean) => string)>;

/** Migrations that the code of the release before could not live with. */
export const REMOVING_MIGRATION_PATTERN = /^\d+-remove-/;

export type MigrationName = keyof typeof MIGRATIONS;

export const MIGRATION_NAMES = Object.keys(MIGRATIONS) as MigrationName[];

/**
 * Migrates the database. All migrations run in one transaction.
 * @param upTo the last migration to apply, for tools that need an older schema; the newest when left out
 * @throws Error when a migration failed; the database is as it was before
 */
export async function migrate(db: Db, upTo?: MigrationName): Promise<void> {
  const migrator = createMigrator(db, await ignoreNewerMigrations(db));
  const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
  if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error });
}

/** Whether all migrations have been applied. Changes nothing. */
export async function isUpToDate(db: Db): Promise<boolean> {
  const migrations = await createMigrator(db).getMigrations();
  return migrations.every(({ executedAt }) => executedAt !== undefined);
}

/**
 * The migrations of a later release that this database has had already, as empty ones. They only added something, so
 * this release can work beside that one.
 */
async function ignoreNewerMigrations(db: Db): Promise<Record<string, Migration>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return {};

  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const later = rows.filter(
    ({ name }) => name > (MIGRATION_NAMES.at(-1) ?? '') && !REMOVING_MIGRATION_PATTERN.test(name),
  );
  return Object.fromEntries(later.map(({ name }): [string, Migration] => [name, { up: () => Promise.resolve() }]));
}

/** The statements of a migration, for one of the two databases. */
export function statementsOf(name: MigrationName, isSqliteDb: boolean): string[] {
  const written: string | ((isSqlite: boolean) => string) = MIGRATIONS[name];
  const text = typeof written === 'string' ? written : written(isSqliteDb);
  return text
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter(Boolean);
}

function createMigrator(db: Db, newer: Record<string, Migration> = {}): Migrator {
  const migrations: Record<string, Migration> = { ...newer };
  for (const name of MIGRATION_NAMES)
    migrations[name] = {
      async up(trx) {
        for (const statement of statementsOf(name, isSqlite(db))) await sql.raw(statement).execute(trx);
      },
    };
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
}
