import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { postgres } from '#api/foundation/db/postgres.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { buildRoute } from '#api/test/delivery/build-release.ts';
import { describeRace } from '#api/test/databases/describe-each-database.ts';
import { holdWriteLock, openSqliteFile } from '#api/test/databases/sqlite-file.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';
import { solveCaptcha } from '#api/test/product/visitor-steps.ts';
import { openLine } from '../../../../tools/cluster/database-line.ts';
import { openCanary, promoteReleases } from '#api/delivery/channels/channel-changes.ts';

/** The timeout of the database here, in milliseconds. The site itself waits longer. */
const SHORT_TIMEOUTS = { query_timeout: 500, connectionTimeoutMillis: 500 };

const PAGES = { marketing: '/plans', companion: '/rosaverx', 'key-system': '/key-system-1', tools: '/portfolio' };
const NEXT_RELEASE = makeRelease('tools', '0.3.0', { routes: [buildRoute('/portfolio')] });

async function openSite(db: Db) {
  const site = await createPublishFixture(db);
  const act = { by: 'olga', at: site.now() };
  for (const [unit, path] of Object.entries(PAGES)) {
    await site.publish(unit, '0.2.0', makeRelease(unit, '0.2.0', { routes: [buildRoute(path)] }));
    await promoteReleases({ db }, [{ unit, version: '0.2.0' }], act);
  }
  await site.publish('tools', '0.4.0', makeRelease('tools', '0.4.0', { routes: [buildRoute('/portfolio')] }));
  await openCanary({ db }, 'tools', { version: '0.4.0', percent: 50 }, act);
  await site.registry.refresh();
  return site;
}

type Site = Awaited<ReturnType<typeof openSite>>;

/** Every page of every unit, for visitors of both sides of a canary, and the code of the pages. */
async function expectPages({ ask }: Site): Promise<void> {
  const found = new Set<string>();
  for (const [unit, path] of Object.entries(PAGES))
    for (let nth = 0; nth < 8; nth++) {
      const page = await ask(`${path}?hwid=device-${String(nth)}`);
      expect([path, page.status]).toEqual([path, 200]);
      const [, version = ''] = new RegExp(`/releases/${unit}/([0-9.]+)/`).exec(await page.text()) ?? [];
      found.add(`${unit}@${version}`);
      expect((await ask(`/releases/${unit}/${version}/remoteEntry.js`)).status).toBe(200);
    }
  expect([...found].sort()).toEqual([
    'companion@0.2.0',
    'key-system@0.2.0',
    'marketing@0.2.0',
    'tools@0.2.0',
    'tools@0.4.0',
  ]);
}

/** Simulates an outage: pages are served, calls that write are refused in time, and afterwards everything works. */
async function playOutage(site: Site, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> {
  const { ask, post, change, publish, followRegistry, logged } = site;
  const token = await solveCaptcha(site);
  await begin();
  logged.length = 0;

  await expectPages(site);
  expect((await ask('/api/federation/resolution')).status).toBe(200);
  expect((await ask('/healthz')).status).toBe(200);
  const handIn = { 'g-recaptcha-response': token, hwid: 'device-1234', OS: 'android', advertiser: 'linkvertise' };
  const following = followRegistry();
  const refused = await Promise.all([
    change({ action: 'promote', version: '0.4.0' }),
    publish('tools', '0.3.0', NEXT_RELEASE),
    post('/api/load-reports', { unit: 'tools', version: '0.4.0', failure: 'missing' }),
    post('/api/v2/verify-captcha', handIn),
    ask('/readyz'),
  ]);
  for (const answer of refused) {
    expect([answer.url, answer.status, answer.headers.get('retry-after')]).toEqual([answer.url, 503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'server.busy', retryable: true });
  }
  await following;
  expect(logged.filter((line) => line.includes('the registry cannot be read'))).toHaveLength(1);

  await end();
  await followRegistry();
  await expectPages(site);
  expect(await site.db.selectFrom('loadReport').select('version').where('kind', '=', 'failed').execute()).toEqual([
    { version: '0.4.0' },
  ]);
  expect((await post('/api/v2/verify-captcha', handIn)).status).toBe(200);
  expect((await publish('tools', '0.3.0', NEXT_RELEASE)).status).toBe(201);
  for (const wanted of [
    { action: 'halt', reason: 'the end' },
    { action: 'promote', version: '0.3.0' },
  ])
    expect((await change(wanted)).status).toBe(200);
  expect(await (await ask('/portfolio')).text()).toContain('/releases/tools/0.3.0/');
  expect(site.incoming()).toEqual([]);
}

test('while another program locks SQLite, every page is served, and afterwards all calls succeed', async () => {
  const { file, db } = await openSqliteFile();
  let letGo = () => Promise.resolve();

  await playOutage(
    await openSite(db),
    async () => void ({ letGo } = await holdWriteLock(file)),
    () => letGo(),
  );
});

describeRace('a PostgreSQL that is away', (db) => {
  test.each(['refused', 'silent'] as const)(
    'still allows every page to be served (%s), and afterwards all calls succeed',
    async (how) => {
      const server = new URL(process.env['TEST_DATABASE_URL'] ?? '');
      const line = await openLine(server.host);
      onTestFinished(() => line.break('refused'));
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db());
      server.host = line.address;
      server.pathname = `/${rows[0]?.name ?? ''}`;
      const behind = withDialect(postgres({ ...SHORT_TIMEOUTS, connectionString: server.href }));
      onTestFinished(() => behind.destroy());

      await playOutage(
        await openSite(behind),
        () => line.break(how),
        () => line.mend(),
      );
    },
  );
});
