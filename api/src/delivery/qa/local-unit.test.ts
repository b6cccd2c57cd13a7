import { expect, test } from 'vitest';
import { createQaFixture, forge } from '#api/test/delivery/qa-fixture.ts';
import { buildRelease, buildRoute } from '#api/test/delivery/build-release.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';

const HOUR = 60 * 60 * 1000;
const COOKIE = '__Host-qa-local';
const LOCAL_UNIT = { unit: 'tools', port: 8080 };
const ORIGIN = 'http://localhost:8080';
const POLICY_HEADER = 'content-security-policy';

async function openLocal() {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();
  const answer = await browser.send('/api/qa/local', { method: 'POST', body: LOCAL_UNIT });
  return { site, browser, answer };
}

test('a QA browser loads one unit from its own computer for eight hours, through a SameSite cookie', async () => {
  const { site, browser, answer } = await openLocal();

  expect([answer.status, await answer.json()]).toEqual([200, { until: site.now() + 8 * HOUR }]);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-qa-local=.+; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const { resolution, headers } = await browser.open('/new');
  expect(resolution.units['tools']).toEqual({
    version: 'localhost:8080',
    source: 'local',
    entry: { url: `${ORIGIN}/releases/tools/remoteEntry.js`, globalName: 'tools__0_0_0_working_copy', integrity: '' },
    contract: '1.0',
    routes: ['/new'],
  });
  expect(resolution.units['key-system']).toMatchObject({ version: '1.5.0', source: 'stable' });
  expect(resolution.qa).toEqual({ access: true, pins: {}, local: { unit: 'tools', origin: ORIGIN } });
  expect(headers.get('cache-control')).toBe('no-store');

  site.pass(8 * HOUR);
  await browser.enter();
  expect((await browser.open('/new')).resolution.units['tools']).toMatchObject({ source: 'stable' });
});

test('the document names no file of the release that a local unit replaces, even if pinned or with a simulated fault', async () => {
  const { browser } = await openLocal();
  const change = { pins: { tools: '0.2.0', 'key-system': '1.4.0' }, faults: { tools: 'crashing' } };
  await browser.send('/api/qa/pins', { method: 'PUT', body: change });

  const html = await (await browser.send('/new')).text();
  expect(html).not.toMatch(/(href|src)="\/releases\/tools\//);
  expect(html).toContain('src="/releases/shell/');
  const { resolution } = await browser.open('/new');
  expect(resolution.units['tools']).toMatchObject({ source: 'local' });
  expect(resolution.units['tools']).not.toHaveProperty('fault');
  expect(resolution.units['key-system']).toMatchObject({ version: '1.4.0', source: 'pin' });
});

test('threat 41: the Content-Security-Policy allows only the local unit’s origin, only in this browser’s documents', async () => {
  const { site, browser } = await openLocal();
  const [mine, other] = await Promise.all([browser.send('/new'), site.browser().send('/new')]);
  const usual = other.headers.get(POLICY_HEADER) ?? '';

  expect(usual).not.toContain('localhost');
  expect(listAdded(usual, mine.headers.get(POLICY_HEADER) ?? '')).toEqual({
    'script-src': [ORIGIN],
    'style-src': [ORIGIN],
    'img-src': [ORIGIN],
    'connect-src': [ORIGIN],
  });
});

test('documents for other browsers are byte-identical', async () => {
  const site = await createQaFixture();
  const player = site.browser();
  const colleague = site.browser();
  await colleague.enter();
  const look = async () =>
    Promise.all(
      [player, colleague].map(async (browser) => {
        const answer = await browser.send('/new');
        return [[...answer.headers].filter(([name]) => name !== 'date'), await answer.text()];
      }),
    );
  const before = await look();

  const developer = site.browser();
  await developer.enter();
  await developer.send('/api/qa/local', { method: 'POST', body: LOCAL_UNIT });
  await developer.open('/new');

  expect(await look()).toEqual(before);
});

test('threat 41: without QA access no local unit is set, and its cookie is ignored', async () => {
  const { site, browser } = await openLocal();
  const kept = browser.jar.get(COOKIE) ?? '';
  const stranger = site.browser();

  const refused = await stranger.send('/api/qa/local', { method: 'POST', body: LOCAL_UNIT });
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'QA_ACCESS' }]);
  expect(stranger.jar.size).toBe(0);

  stranger.jar.set(COOKIE, kept);
  const { resolution, headers } = await stranger.open('/new');
  expect(resolution.units['tools']).toMatchObject({ source: 'stable' });
  expect(resolution).not.toHaveProperty('qa');
  expect(headers.get(POLICY_HEADER)).not.toContain('localhost');
});

test('threat 41: a cookie that is forged, or signed for another purpose, is ignored', async () => {
  const { browser } = await openLocal();
  const sealed = browser.jar.get(COOKIE) ?? '';
  for (const forged of [...forge(sealed, '8080', '9090'), browser.jar.get('__Host-qa')]) {
    browser.jar.set(COOKIE, forged ?? '');
    expect((await browser.open('/new')).resolution.units['tools']).toMatchObject({ source: 'stable' });
  }
});

test.each([
  '/new?local=tools@8080',
  '/new?unit=tools&port=8080',
  '/new?pin=tools@localhost:8080',
  '/new?pin=tools@http://localhost:8080',
  '/api/qa/local?unit=tools&port=8080',
])('threat 41: the link %s sets no local unit', async (link) => {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();

  await browser.send(link);

  expect(browser.jar.has(COOKIE)).toBe(false);
  expect((await browser.open('/new')).resolution.units['tools']).toMatchObject({ source: 'stable' });
});

test('threat 41: a form of another site sets no local unit, because the call accepts only JSON', async () => {
  const site = await createQaFixture({ accessKey: undefined, isOpen: true });
  const browser = site.browser();

  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    expect((await browser.sendEncodedVariant('/api/qa/local', type, JSON.stringify(LOCAL_UNIT))).status).toBe(400);
  expect(browser.jar.has(COOKIE)).toBe(false);
});

test.each([
  { ...LOCAL_UNIT, port: 80 },
  { ...LOCAL_UNIT, port: 1023 },
  { ...LOCAL_UNIT, port: 65_536 },
  { ...LOCAL_UNIT, port: 8080.5 },
  { ...LOCAL_UNIT, port: '8080' },
  { ...LOCAL_UNIT, port: '8080@evil.example' },
  { ...LOCAL_UNIT, unit: '../tools' },
  { unit: 'tools' },
  { unit: 'tools', origin: 'https://evil.example' },
])('rejects %j as a local unit’s address', async (body) => {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();

  expect((await browser.send('/api/qa/local', { method: 'POST', body })).status).toBe(400);
  expect(browser.jar.has(COOKIE)).toBe(false);
});

test.each(['shell', 'nothing'])('rejects the unit %s as a local unit, with the reason', async (unit) => {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();

  const refused = await browser.send('/api/qa/local', { method: 'POST', body: { unit, port: 8080 } });
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'QA_PIN' }]);
});

test('a local unit ends with one click, or with the access', async () => {
  for (const path of ['/api/qa/local', '/api/qa/access']) {
    const { browser } = await openLocal();
    expect((await browser.send(path, { method: 'DELETE' })).status).toBe(204);
    expect(browser.jar.has(COOKIE)).toBe(false);
  }
});

test('a share link does not include the local unit', async () => {
  const { site, browser } = await openLocal();
  await browser.open('/new?pin=key-system@1.4.0');
  const shared = await browser.send('/api/qa/share', { method: 'POST', body: { path: '/new' } });
  const { link } = (await shared.json()) as { link: string };
  const { pathname, search } = new URL(link);

  const { resolution } = await site.browser().open(pathname + search);
  expect(resolution.units).toMatchObject({ 'key-system': { source: 'pin' }, tools: { source: 'stable' } });
});

test('a page with a local unit counts for no canary, neither as served nor as failed', async () => {
  const db = await openEmptyDb();
  const releases = [
    buildRelease('shell'),
    buildRelease('shell', { version: '0.2.0' }),
    buildRelease('tools', { routes: [buildRoute('/new')] }),
  ];
  await insertReleases(db, releases, {
    shell: { stable: '0.1.0', canary: '0.2.0', canaryShare: 10_000, canarySince: 1 },
    tools: { stable: '0.1.0' },
  });
  const api = await createTestApi({ db, pages: SITE_SETTINGS, qa: { accessKey: undefined, isOpen: true } });
  const report = (cookie: string, unit: string, version: string) =>
    api.post('/api/load-reports', { unit, version, failure: 'crashed' }, { cookie });
  const reported = () => db.selectFrom('loadReport').select(['unit', 'version', 'kind']).orderBy('kind').execute();

  const set = await api.post('/api/qa/local', LOCAL_UNIT);
  const cookie = set.headers.get('set-cookie')?.split(';')[0] ?? '';
  const html = await (await api.ask('/new', { headers: { cookie } })).text();
  expect(html).toContain('"source":"local"');
  await api.ask('/releases/shell/0.2.0/static/js/shell.aa.js', { headers: { cookie } });
  expect((await report(cookie, 'tools', 'localhost:8080')).status).toBe(204);
  expect((await report(cookie, 'shell', '0.2.0')).status).toBe(204);
  await api.followRegistry();
  expect(await reported()).toEqual([]);

  await report('', 'shell', '0.2.0');
  expect(await reported()).toEqual([
    { unit: 'shell', version: '0.2.0', kind: 'failed' },
    { unit: 'shell', version: '0.2.0', kind: 'served' },
  ]);
});

/** The sources by which a policy is wider than another. */
function listAdded(usual: string, wider: string): Record<string, string[]> {
  const read = (policy: string) => policy.split(';').map((directive) => directive.trim().split(' '));
  const known = new Map(read(usual).map(([name = '', ...sources]) => [name, sources]));
  expect(read(wider).map(([name]) => name)).toEqual([...known.keys()]);
  return Object.fromEntries(
    read(wider).flatMap(([name = '', ...sources]) => {
      const added = sources.filter((source) => !known.get(name)?.includes(source));
      return added.length > 0 ? [[name, added]] : [];
    }),
  );
}
