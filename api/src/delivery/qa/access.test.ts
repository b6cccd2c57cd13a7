import { expect, test } from 'vitest';
import { ACCESS_KEY, createQaFixture } from '#api/test/delivery/qa-fixture.ts';

const HOUR = 60 * 60 * 1000;
const OTHER_KEY = 'Zz4Kd90sLq81mZx7Vb2Tn6Yw4Rc5Pf0H';

test('the access key grants access for eight hours through an HttpOnly cookie', async () => {
  const site = await createQaFixture();
  const browser = site.browser();

  const answer = await browser.enter();

  expect([answer.status, await answer.json()]).toEqual([200, { until: site.now() + 8 * HOUR }]);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-qa=.+; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(answer.headers.get('set-cookie')).not.toContain(ACCESS_KEY);
  expect(await (await browser.send('/api/qa/pins')).json()).toMatchObject({ access: true });

  site.pass(8 * HOUR);
  expect(await (await browser.send('/api/qa/pins')).json()).toMatchObject({ access: false });
});

test('QA access ends on request', async () => {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();

  expect((await browser.send('/api/qa/access', { method: 'DELETE' })).status).toBe(204);

  expect(await (await browser.send('/api/qa/pins')).json()).toMatchObject({ access: false });
});

test('wrong keys do not lock out a client with the right one', async () => {
  const browser = (await createQaFixture()).browser();
  for (let tries = 1; tries <= 100; tries += 1) {
    const refused = await browser.enter(`${ACCESS_KEY}${tries}`);
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'QA_ACCESS' }]);
  }

  expect((await browser.enter()).status).toBe(200);
});

test('an address with too many requests is rate-limited, whatever the requests', async () => {
  const browser = (await createQaFixture()).browser();
  for (let times = 0; times < 120; times += 1) await browser.send('/api/qa/pins');

  expect((await browser.send('/api/qa/pins')).status).toBe(429);
  expect((await browser.enter()).status).toBe(429);
});

test('a changed access key revokes access, pins and share links', async () => {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();
  await browser.open('/new?pin=key-system@1.4.0');
  const shared = await browser.send('/api/qa/share', { method: 'POST', body: { path: '/new' } });
  const { link } = (await shared.json()) as { link: string };

  await site.changeKey(OTHER_KEY);

  expect(await (await browser.send('/api/qa/pins')).json()).toEqual({ access: false, session: null });
  const { pathname, search } = new URL(link);
  expect((await site.browser().open(pathname + search)).resolution.units['key-system']).toMatchObject({
    version: '1.5.0',
  });
});

test('without a configured access key no browser has access in production, and all have in development', async () => {
  const closed = (await createQaFixture({ accessKey: undefined })).browser();
  expect((await closed.enter('')).status).toBe(403);
  expect(await (await closed.send('/api/qa/pins')).json()).toMatchObject({ access: false });

  const open = (await createQaFixture({ accessKey: undefined, isOpen: true })).browser();
  expect((await open.open('/new?pin=key-system@1.4.0')).resolution.units['key-system']).toMatchObject({
    source: 'pin',
  });

  const guarded = (await createQaFixture({ isOpen: true })).browser();
  expect(await (await guarded.send('/api/qa/pins')).json()).toMatchObject({ access: false });
});

test('a page without QA changes is cached like a visitor’s, but not by shared caches if only its browser has access', async () => {
  const open = async (options: Parameters<typeof createQaFixture>[0]) =>
    (await createQaFixture({ accessKey: undefined, hasCanary: false, ...options })).browser();
  const kept = async (browser: Awaited<ReturnType<typeof open>>) => {
    const { headers } = await browser.open('/new');
    return ['cache-control', 'x-accel-expires', 'x-robots-tag'].map((name) => headers.get(name));
  };
  const [visitor, developer, tester] = [
    await open({}),
    await open({ isOpen: true }),
    await open({ accessKey: ACCESS_KEY }),
  ];
  await tester.enter();

  expect(await kept(visitor)).toEqual(['no-cache', '1', null]);
  expect(await kept(developer)).toEqual(['no-cache', '1', null]);
  expect(await kept(tester)).toEqual(['private, no-cache', null, null]);
  for (const browser of [developer, tester]) {
    await browser.open('/new?pin=key-system@1.4.0');
    expect(await kept(browser)).toEqual(['no-store', null, 'noindex']);
  }
});

test('threat 41: a share link grants only its pins to a browser without the key, until its expiry', async () => {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();
  await browser.send('/api/qa/pins', {
    method: 'PUT',
    body: { pins: { tools: 'canary', 'key-system': '1.4.0' }, faults: { tools: 'offline' } },
  });
  const answer = await browser.send('/api/qa/share', { method: 'POST', body: { path: '/new?a=1&pin=shell@9.9.9' } });
  const { link, until } = (await answer.json()) as { link: string; until: number };
  expect(until).toBe(site.now() + 8 * HOUR);
  expect(link).toMatch(
    /^https:\/\/site\.example\/new\?a=1&pin=key-system@1\.4\.0,tools@canary&qa=[0-9a-z]+\.[\w-]{43}$/,
  );
  const shared = link.slice('https://site.example'.length);

  // Cookies last for whole seconds.
  site.pass(HOUR + 1);
  const friend = site.browser();
  const noted = site.noted.length;
  const { path, resolution } = await friend.open(shared);
  // Opening it writes nothing.
  expect(site.noted).toHaveLength(noted);
  expect(path).toBe('/new?a=1');
  expect(resolution.qa).toEqual({ access: false, pins: { tools: 'canary', 'key-system': '1.4.0' }, until });
  expect(resolution.units['tools']).not.toHaveProperty('fault');
  expect((await friend.send('/api/qa/pins', { method: 'PUT', body: { pins: {}, faults: {} } })).status).toBe(403);
  expect((await friend.send('/api/qa/share', { method: 'POST', body: { path: '/new' } })).status).toBe(403);

  for (const changed of [
    shared.replace('1.4.0', '1.5.0'),
    shared.replace(',tools@canary', ''),
    shared.replace(/qa=[0-9a-z]+/, `qa=${(until + 1).toString(36)}`),
    shared.replace(/&qa=.*/, ''),
    shared.replace(/&qa=.*/, '&qa=x'),
  ]) {
    const stranger = site.browser();
    const { resolution: usual } = await stranger.open(changed);
    expect(usual.units['key-system']).toMatchObject({ version: '1.5.0', source: 'stable' });
    expect(usual.qa?.notice).toBeDefined();
  }

  // The moment at which it ends.
  site.pass(7 * HOUR - 1);
  expect((await friend.open('/new')).resolution.units['key-system']).toMatchObject({ source: 'stable' });
  const late = site.browser();
  expect((await late.send(shared)).status).toBe(303);
  expect([...late.jar.keys()]).toEqual(['__Host-qa-notice']);
  expect((await late.open('/new')).resolution.qa?.notice).toContain('This link has ended');
});

test('only pages of this site can be shared, and only with pins', async () => {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();
  const share = async (path: string) =>
    (await browser.send('/api/qa/share', { method: 'POST', body: { path } })).status;

  expect(await share('/new')).toBe(409);
  await browser.open('/new?pin=tools@canary');
  expect(await share('/new')).toBe(200);
  for (const path of ['https://evil.example/', '/\\evil.example', '/x.js', 'new', ''])
    expect(await share(path)).toBe(400);
});
