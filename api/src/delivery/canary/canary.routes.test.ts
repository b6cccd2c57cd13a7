import { resolutionSchema } from '@app/contracts/resolution';
import { Router } from 'express';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';
import { addRelease } from '#api/test/delivery/add-release.ts';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { countMeanwhile } from '#api/test/read-metric.ts';

const PAGE = '/key-system-1?hwid=device-1&zone=z';
const REPORT = { unit: 'key-system', version: '1.5.0', failure: 'missing' };

/** A site with a canary of the key system, given to this share in hundredths of a percent. */
async function openSite({ share = 10_000, loadReportsPerMinute = 30, trustedHops = 0 } = {}) {
  const db = await openEmptyDb();
  const routes = [buildRoute('/key-system-1')];
  await insertReleases(
    db,
    [
      buildRelease('shell'),
      buildRelease('key-system', { version: '1.4.0', routes }),
      buildRelease('key-system', { version: '1.5.0', routes }),
    ],
    {
      shell: { stable: '0.1.0' },
      'key-system': { stable: '1.4.0', canary: '1.5.0', canaryShare: share, canarySince: 0 },
    },
  );
  const api = await createTestApi({
    db,
    trustedHops,
    limits: { ...DEFAULT_LIMITS, loadReportsPerMinute },
    files: [Router().use('/releases', (_req, res) => void res.end())],
    pages: SITE_SETTINGS,
  });
  const versionAt = async (path: string) => {
    const res = await api.ask(path);
    const body = await res.text();
    const json = /<script id="resolution" type="application\/json">(.*?)<\/script>/.exec(body)?.[1] ?? body;
    return {
      headers: res.headers,
      cookie: res.headers.get('set-cookie'),
      version: v.parse(resolutionSchema, JSON.parse(json)).units['key-system']?.version,
    };
  };
  return { ...api, versionAt };
}

test('an open page polls the versions that a reload would get', async () => {
  const { versionAt } = await openSite({ share: 5000 });

  const sides = new Set<string | undefined>();
  for (let nth = 0; nth < 20; nth++) {
    const page = `/key-system-1?hwid=device-${String(nth)}`;
    const { version } = await versionAt(page);
    sides.add(version);
    const asked = await versionAt(`/api/federation/resolution?for=${encodeURIComponent(page)}`);
    expect(asked.version).toBe(version);
    expect(asked.cookie).toBeNull();
    expect(asked.headers.get('cache-control')).toBe('no-store');
    expect((await versionAt(`/api/federation/resolution?hwid=device-${String(nth)}`)).version).toBe(version);
  }
  expect(sides.size).toBe(2);
});

test('a report counts for its sender’s network, with the kind of failure', async () => {
  const { post, db } = await openSite();

  for (const failure of ['missing', 'timeout', 'error', 'crashed'])
    expect((await post('/api/load-reports', { ...REPORT, failure })).status).toBe(204);

  const rows = await db.selectFrom('loadReport').select(['kind', 'version', 'reason']).orderBy('kind').execute();
  expect(rows).toEqual([
    { kind: 'failed', version: '1.5.0', reason: 'missing' },
    { kind: 'served', version: '1.5.0', reason: null },
  ]);
});

test('a report counts for its unit in the metrics, one about an unpublished release does not', async () => {
  const { post } = await openSite();

  expect(
    await countMeanwhile(
      [['site_load_reports_total', { unit: 'key-system', failure: 'timeout' }], ['site_load_reports_total']],
      async () => {
        await post('/api/load-reports', { ...REPORT, failure: 'timeout' });
        await post('/api/load-reports', { ...REPORT, unit: 'invented', failure: 'timeout' });
      },
    ),
  ).toEqual([1, 1]);
});

test('threat 40: a report about a release under removal does not block other reports', async () => {
  const { post, db, followRegistry } = await openSite();
  await addRelease(db, 'key-system', '1.3.0');
  expect((await post('/api/load-reports', { ...REPORT, version: '1.3.0' })).status).toBe(204);
  await createReleasesRepository(db).remove('key-system', '1.3.0');

  expect((await post('/api/load-reports', REPORT)).status).toBe(204);
  await followRegistry();
  const rows = await db.selectFrom('loadReport').select(['kind', 'version']).orderBy('kind').execute();
  expect(rows).toEqual([
    { kind: 'failed', version: '1.5.0' },
    { kind: 'served', version: '1.5.0' },
  ]);
});

test.each([
  { what: 'an unknown version', body: { ...REPORT, version: '9.9.9' } },
  { what: 'an unknown unit', body: { ...REPORT, unit: 'other' } },
  { what: 'no failure of ours', body: { ...REPORT, failure: 'boredom' } },
  { what: 'markup', body: { ...REPORT, unit: '<script>' } },
  { what: 'nothing', body: null },
])('a report that names $what is rejected, and nothing is written', async ({ body }) => {
  const { post, db } = await openSite();

  expect((await post('/api/load-reports', body)).status).toBe(400);
  expect(await db.selectFrom('loadReport').selectAll().execute()).toEqual([]);
});

test('threat 40: all addresses of one network share one report count', async () => {
  const { post } = await openSite({ loadReportsPerMinute: 2, trustedHops: 1 });
  const report = (address: string) => post('/api/load-reports', REPORT, { 'x-forwarded-for': address });

  const own = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '2001:db8:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'];
  const statuses = [];
  for (const address of own) statuses.push((await report(address)).status);
  expect(statuses).toEqual([204, 204, 429, 204, 204, 429]);
  expect((await report('203.0.114.1')).status).toBe(204);
});

test('threat 40: a sender with forged proxy addresses counts as one network', async () => {
  const { post, db } = await openSite();
  for (let nth = 1; nth <= 6; nth++)
    await post('/api/load-reports', REPORT, { 'x-forwarded-for': `203.0.${String(nth)}.1` });

  const failed = await db.selectFrom('loadReport').select('kind').where('kind', '=', 'failed').execute();
  expect(failed).toHaveLength(1);
});

test('a response with a canary page is reported to the watch, other responses are not', async () => {
  const { ask, db, followRegistry } = await openSite();
  await ask('/api/federation/resolution');
  await ask('/nowhere');
  await followRegistry();
  expect(await db.selectFrom('loadReport').selectAll().execute()).toEqual([]);

  await ask(PAGE);
  await followRegistry();
  expect(await db.selectFrom('loadReport').select(['unit', 'kind']).execute()).toEqual([
    { unit: 'key-system', kind: 'served' },
  ]);
});

test('a browser that loads a canary by in-page navigation counts too', async () => {
  const { ask, db, followRegistry } = await openSite();

  await ask('/releases/key-system/remoteEntry.aaaaaaaa.js?retry=1');
  await followRegistry();
  expect(await db.selectFrom('loadReport').select(['unit', 'version', 'kind']).execute()).toEqual([
    { unit: 'key-system', version: '1.5.0', kind: 'served' },
  ]);
});

const VITALS = { page: '/encrypter', version: '1.0.0', shell: '0.1.0', cached: false, lcp: 812.4, cls: 0 };

async function openSiteOfTools() {
  const db = await openEmptyDb();
  await insertReleases(
    db,
    [buildRelease('shell'), buildRelease('tools', { version: '1.0.0', routes: [buildRoute('/encrypter')] })],
    { shell: { stable: '0.1.0' }, tools: { stable: '1.0.0' } },
  );
  return createTestApi({ db });
}

test('a page’s web vitals are counted, and answered without a cookie', async () => {
  const { post } = await openSiteOfTools();
  let answer: Response | undefined;
  const labels = { page: '/encrypter', engine: 'firefox', release: 'tools@1.0.0', shell: '0.1.0', timing: 'lcp' };
  const counted = await countMeanwhile([['site_field_duration_seconds_count', labels]], async () => {
    const firefox = { 'user-agent': 'Mozilla/5.0 Gecko/20100101 Firefox/140.0' };
    answer = await post('/api/field-timings', VITALS, firefox);
  });

  expect(answer?.status).toBe(204);
  expect(answer?.headers.get('set-cookie')).toBeNull();
  expect(counted).toEqual([1]);
});

test.each([
  ['a negative time', { ...VITALS, lcp: -1 }],
  ['an endless time', { ...VITALS, works: 1e9 }],
  ['a text for a time', { ...VITALS, inp: '5' }],
  ['a shift beyond all screens', { ...VITALS, cls: 1e6 }],
  ['no release', { ...VITALS, version: undefined }],
  ['a page of a thousand letters', { ...VITALS, page: `/${'a'.repeat(1000)}` }],
  ['a list', []],
])('threat 59: rejects %s', async (_what, vitals) => {
  const { post } = await openSiteOfTools();
  expect((await post('/api/field-timings', vitals)).status).toBe(400);
});

test('threat 59: a network may report twenty times a minute', async () => {
  const { post } = await openSiteOfTools();
  const statuses = [];
  for (let nth = 0; nth < 21; nth++) statuses.push((await post('/api/field-timings', VITALS)).status);

  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(204));
  expect(statuses.at(-1)).toBe(429);
});

test('answers 405 with the allowed method to other methods', async () => {
  const { ask } = await openSiteOfTools();
  const answer = await ask('/api/field-timings');

  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});
