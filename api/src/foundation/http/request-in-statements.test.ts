import { Router } from 'express';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { countWaiting, describeRace } from '#api/test/databases/describe-each-database.ts';
import { clickComplete, handIn, readState, solveCaptcha } from '#api/test/product/visitor-steps.ts';

const ID = '0123456789abcdef0123456789abcdef';

const lockState = (db: Db) =>
  db
    .updateTable('registryState')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .execute();

/** The statements of this database that wait for a lock, as its server shows them. */
async function readWaiting(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    query: string;
  }>`select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map(({ query }) => query);
}

describeRace('the id of a request in statements', (db) => {
  test('PostgreSQL shows the request id of a waiting statement', async () => {
    const locking = Router().get('/lock', async (_req, res) => {
      await db().transaction().execute(lockState);
      res.end();
    });
    const api = await createTestApi({ db: db(), trustedHops: 1, files: [locking] });

    const { waiting, asked } = await db()
      .transaction()
      .execute(async (trx) => {
        await lockState(trx);
        const asked = api.ask('/lock', { headers: { 'x-request-id': ID } });
        await expect.poll(() => countWaiting(db())).toBe(1);
        return { waiting: await readWaiting(db()), asked };
      });

    expect((await asked).status).toBe(200);
    expect(waiting).toEqual([expect.stringMatching(`^/\\* req:${ID} \\*/ update "registry_state"`)]);
  });

  test('threat 47: a request id sent by a visitor is in no statement', async () => {
    const said: string[] = [];
    const reading = Router().get('/read', async (_req, res) => {
      const { rows } = await sql<{
        query: string;
      }>`select query from pg_stat_activity where pid = pg_backend_pid()`.execute(db());
      said.push(rows[0]?.query ?? '');
      res.end();
    });
    const api = await createTestApi({ db: db(), trustedHops: 1, files: [reading] });

    for (const given of [`${ID} */ select 1; /*`, '*/', ID.toUpperCase()])
      await api.ask('/read', { headers: { 'x-request-id': given } });

    expect(said).toHaveLength(3);
    for (const query of said)
      expect(query).toMatch(/^\/\* req:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} \*\/ select query/);
  });

  test('reads use a shared prepared statement, writes and reads that a migration could change do not', async () => {
    const api = await createTestApi({ db: db(), trustedHops: 1 });
    for (let times = 0; times < 2; times++) {
      await handIn(api, await solveCaptcha(api));
      await clickComplete(api);
      await readState(api);
      await db().selectFrom('run').selectAll('run').where('step', '=', 1).execute();
      await db().selectFrom('run').select('id').where('step', '=', 1).forUpdate().execute();
    }

    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db());
    const prepared = rows.map(({ statement }) => statement.trim());
    expect(prepared.some((statement) => statement.includes('json_agg'))).toBe(true);
    expect(new Set(prepared).size).toBe(prepared.length);
    for (const statement of prepared) {
      expect(statement).toMatch(/^select /i);
      expect(statement).not.toMatch(/req:|for update|select \*|"\."?\*/i);
    }
  });
});
