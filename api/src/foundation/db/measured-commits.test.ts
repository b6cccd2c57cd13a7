import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeRace } from '#api/test/databases/describe-each-database.ts';
import { openSqliteFile } from '#api/test/databases/sqlite-file.ts';
import { countMeanwhile, readMetric } from '#api/test/read-metric.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import type { Db } from './schema.ts';

const COMMIT_METRICS = [['site_db_commit_duration_seconds_count'], ['site_db_commit_duration_seconds_sum']] as const;

/** Changes a row of the configuration into itself. */
async function change(db: Db): Promise<void> {
  await db
    .updateTable('registryState')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .execute();
}

test('SQLite: a commit or single statement is measured until it is on the disk, a read is not', async () => {
  const { db } = await openSqliteFile();

  const [count, seconds] = await countMeanwhile(COMMIT_METRICS, async () => {
    await db.transaction().execute(async (trx) => {
      await change(trx);
      await change(trx);
    });
    await change(db);
    await db.selectFrom('registryState').selectAll().execute();
  });

  expect(count).toBe(2);
  expect(seconds).toBeGreaterThan(0);
});

describeRace('a pool of connections', (db) => {
  test('the commit of a transaction is measured', async () => {
    const [count, seconds] = await countMeanwhile(COMMIT_METRICS, () => db().transaction().execute(change));

    expect(count).toBe(1);
    expect(seconds).toBeGreaterThan(0);
  });

  test('used and idle connections and waiting requests are counted', async () => {
    const read = async () => [
      await readMetric('site_db_pool_connections', { state: 'used' }),
      await readMetric('site_db_pool_connections', { state: 'idle' }),
      await readMetric('site_db_pool_waiting'),
    ];
    const [used = 0] = await read();
    let letGo: (() => void) | undefined;
    const isOver = new Promise<void>((resolve) => (letGo = resolve));
    const holding = Array.from({ length: 12 }, () =>
      db()
        .connection()
        .execute(() => isOver),
    );

    await expect.poll(read).toEqual([used + 10, expect.any(Number), 2]);
    letGo?.();
    await Promise.all(holding);
    expect(await read()).toEqual([used, expect.any(Number), 0]);
  });

  test('a connection closed by PostgreSQL between two statements fails only its own transaction', async () => {
    const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const work = db()
      .transaction()
      .execute(async (trx) => {
        const [own] = (await pid.execute(trx)).rows;
        await sql`select pg_terminate_backend(${own?.pid})`.execute(db());
        const session = sql`select from pg_stat_activity where pid = ${own?.pid}`;
        await expect.poll(async () => (await session.execute(db())).rows).toEqual([]);
        await pid.execute(trx);
      });

    await expect(work).rejects.toThrow(DatabaseUnavailable);
    expect((await pid.execute(db())).rows).toHaveLength(1);
  });

  test('a statement outside a request has no comment', async () => {
    const { rows } = await sql<{
      query: string;
    }>`select query from pg_stat_activity where pid = pg_backend_pid()`.execute(db());

    expect(rows[0]?.query).toMatch(/^select query/);
  });
});
