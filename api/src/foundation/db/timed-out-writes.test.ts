import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { buildPurchase } from '#api/test/build-rows.ts';
import { describeRace } from '#api/test/databases/describe-each-database.ts';
import { openLine } from '../../../../tools/cluster/database-line.ts';
import { withDialect } from './open-db.ts';
import { postgres, VISITOR_TIMEOUTS } from './postgres.ts';

// The pool opens a new connection for one that had no answer in time. A server that still works for that one has more
// than the pool may open.
test('PostgreSQL ends a statement before the pool gives its connection up', () => {
  expect(VISITOR_TIMEOUTS.statement_timeout).toBeLessThan(Number(VISITOR_TIMEOUTS.query_timeout));
  expect(VISITOR_TIMEOUTS.lock_timeout).toBeLessThan(Number(VISITOR_TIMEOUTS.statement_timeout));
});

describeRace('a write of a transaction that had no answer in time', (db) => {
  test('is not stored, although it arrives later and the transaction goes on', async () => {
    const server = new URL(process.env['TEST_DATABASE_URL'] ?? '');
    const line = await openLine(server.host);
    onTestFinished(() => line.break('refused'));
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db());
    server.host = line.address;
    server.pathname = `/${rows[0]?.name ?? ''}`;
    const behind = withDialect(postgres({ query_timeout: 500, connectionString: server.href }));
    onTestFinished(() => behind.destroy());
    const countConnections = () =>
      sql<{
        pid: number;
      }>`select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
        .execute(db())
        .then(({ rows }) => rows.length);

    const changing = behind.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      await line.break('silent');
      await expect(trx.insertInto('recentPurchase').values(buildPurchase()).execute()).rejects.toThrow('timeout');
      await line.mend();
    });

    await expect(changing).rejects.toThrow('The connection cannot be used any more.');
    await expect.poll(countConnections).toBe(0);
    expect(await db().selectFrom('recentPurchase').select('id').execute()).toEqual([]);
  });
});
