import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { postgres } from '#api/foundation/db/postgres.ts';
import { buildPurchase } from '#api/test/build-rows.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { describeRace } from '#api/test/databases/describe-each-database.ts';
import { openSqliteFile } from '#api/test/databases/sqlite-file.ts';

/** Lets the system refuse this process every write to a file, as it does for a disk that it has made read-only. */
function limitFiles(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${String(bytes)}:`]);
}

const write = (api: Awaited<ReturnType<typeof createTestApi>>) =>
  api.db.insertInto('recentPurchase').values(buildPurchase()).execute();

test('while writes to the SQLite file fail the server is not ready, and afterwards is ready again', async () => {
  const api = await createTestApi({ db: (await openSqliteFile()).db });
  expect((await api.ask('/readyz')).status).toBe(200);

  limitFiles(0);
  onTestFinished(() => limitFiles('unlimited'));
  await expect(write(api)).rejects.toThrow('disk I/O error');
  for (const time of ['first', 'second']) {
    const refused = await api.ask('/readyz');
    expect([time, refused.status, await refused.json()]).toMatchObject([time, 503, { code: 'server.busy' }]);
  }
  expect((await api.ask('/healthz')).status).toBe(200);

  limitFiles('unlimited');
  expect((await api.ask('/readyz')).status).toBe(200);
  await write(api);
});

describeRace('readiness', (db) => {
  test('while PostgreSQL is read-only the server is not ready, and afterwards is ready again', async () => {
    const server = new URL(process.env['TEST_DATABASE_URL'] ?? '');
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db());
    server.pathname = `/${rows[0]?.name ?? ''}`;
    const own = withDialect(postgres({ connectionString: server.href, max: 1 }));
    onTestFinished(() => own.destroy());
    const api = await createTestApi({ db: own });

    await sql`set session characteristics as transaction read only`.execute(own);
    const refused = await api.ask('/readyz');
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'server.busy' }]);

    // It was for that connection, which is given up.
    expect((await api.ask('/readyz')).status).toBe(200);
  });
});
