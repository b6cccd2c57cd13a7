import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { durable } from '#api/foundation/db/sqlite/sqlite.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { expireRun, measureRuns } from '#api/product/key-system/sweep-runs.ts';
import { T0 } from '#api/test/build-rows.ts';
import { createCountsRepository } from '#api/product/stats/counts.repository.ts';
import { measureVisits } from '#api/product/stats/measure-visits.ts';
import { createExpiryRepository } from './expiry.repository.ts';
import { createRetentionRepository, NETWORK_COLUMNS, OLD_ROWS } from './retention.repository.ts';

test('SQLite answers each query of a sweep from an index', async () => {
  const asked: string[] = [];
  const database = new DatabaseSync(':memory:');
  const db = withDialect(durable(database, undefined), ({ query }) => void asked.push(query.sql));
  await migrate(db);
  asked.length = 0;

  const times = { at: T0, claimedBefore: T0 };
  await createAttemptsRepository(db).listConfirmed(T0, 1);
  await createExpiryRepository(db).listStale(times, 1);
  await expireRun({ db }, 'run', times);
  await measureRuns({ db, now: () => T0 });
  await measureVisits({ db, now: () => T0 });
  for (const rows of OLD_ROWS) await createRetentionRepository(db).remove(rows, T0, 1);
  for (const place of NETWORK_COLUMNS) await createRetentionRepository(db).forgetNetworks(place, T0, 1);
  await createAuditRepository(db).removeBelow(1, 1);
  const counts = createCountsRepository(db);
  for (const what of ['attempts', 'issued', 'withdrawn'] as const)
    await counts.findTime(what, { from: 0, before: T0 }, 1);
  await counts.findUndecided({ from: 0, before: T0 }, T0);
  await counts.sumAttempts({ from: 0, before: T0 });
  for (const what of ['issued', 'withdrawn'] as const) await counts.sumKeys(what, { from: 0, before: T0 });

  const plans = asked
    .filter((statement) => /^\s*(select|update|delete)/i.test(statement))
    .map((statement) => {
      const steps = database.prepare(`explain query plan ${statement}`).all();
      return {
        statement,
        reads: steps.map(({ detail }) => String(detail)).filter((detail) => /^SCAN (?!advertiser|app )/.test(detail)),
      };
    });
  await db.destroy();
  expect(plans.length).toBeGreaterThan(OLD_ROWS.length + NETWORK_COLUMNS.length);
  expect(plans.filter(({ reads }) => reads.length > 0)).toEqual([]);
});
