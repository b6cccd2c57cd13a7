import { expect, test } from 'vitest';
import { createQaFixture, forge } from '#api/test/delivery/qa-fixture.ts';

const HOUR = 60 * 60 * 1000;
const PINNED_UNIT = { version: '1.4.0', source: 'pin' };
const STABLE_UNIT = { version: '1.5.0', source: 'stable' };

async function openWithAccess() {
  const site = await createQaFixture();
  const browser = site.browser();
  await browser.enter();
  return { site, browser };
}

test('a pin link sets its pins, redirects to the address without them, and the pages list the pins', async () => {
  const { site, browser } = await openWithAccess();

  const answer = await browser.send('/key-system-1?pin=key-system@1.4.0,tools@canary');
  const { resolution, headers } = await browser.open('/key-system-1');

  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/key-system-1']);
  expect(answer.headers.get('set-cookie')).toMatch(/^__Host-pin=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(resolution.units).toMatchObject({ 'key-system': PINNED_UNIT, tools: { version: '0.2.0', source: 'pin' } });
  expect(resolution.qa).toEqual({
    access: true,
    pins: { 'key-system': '1.4.0', tools: 'canary' },
    until: site.now() + 8 * HOUR,
  });
  expect(headers.get('cache-control')).toBe('no-store');
});

test.each([
  { asked: '/new?hwid=a%2Bb&pin=tools@0.2.0&zone=%20x+y&&e=%zz', leadsTo: '/new?hwid=a%2Bb&zone=%20x+y&&e=%zz' },
  { asked: '/new?pin=tools%400.2.0', leadsTo: '/new' },
  { asked: '/new?%70in=tools@0.2.0&a', leadsTo: '/new?a' },
  { asked: '/new?x=1&pin=tools@0.2.0&pin=shell@9.9.9&qa=x', leadsTo: '/new?x=1' },
  { asked: '//new//?pin=tools@0.2.0', leadsTo: '/new/' },
  { asked: '//evil.example/?pin=tools@0.2.0', leadsTo: undefined },
  { asked: '///evil.example?pin=tools@0.2.0', leadsTo: undefined },
  { asked: '/\\evil.example?pin=tools@0.2.0', leadsTo: undefined },
  { asked: '/\\/evil?pin=tools@0.2.0', leadsTo: undefined },
  { asked: '//evil?pin=tools@0.2.0', leadsTo: '/evil' },
  { asked: 'http://evil.example/new?pin=tools@0.2.0', leadsTo: undefined },
  { asked: '/%0d%0aset-cookie:x=1?pin=tools@0.2.0', leadsTo: undefined },
  { asked: '/new?x=%0d%0aset-cookie:x=1&pin=tools@0.2.0', leadsTo: '/new?x=%0d%0aset-cookie:x=1' },
  { asked: '/@evil.example?pin=tools@0.2.0', leadsTo: undefined },
])('$asked redirects to $leadsTo and never to another site', async ({ asked, leadsTo }) => {
  const { browser } = await openWithAccess();

  const answer = await browser.sendRaw(asked);

  if (leadsTo !== undefined) expect([answer.status, answer.headers.get('location')]).toEqual([303, leadsTo]);
  else {
    expect([200, 302, 404]).toContain(answer.status);
    expect(answer.headers.get('location') ?? '/index#not-found').toBe('/index#not-found');
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
});

test.each(['', 'none'])('"pin=%s" clears the pins', async (list) => {
  const { browser } = await openWithAccess();
  await browser.open('/new?pin=key-system@1.4.0');

  const { resolution } = await browser.open(`/new?pin=${list}`);

  expect(resolution.units['key-system']).toMatchObject(STABLE_UNIT);
  expect(resolution.qa).toEqual({ access: true, pins: {} });
});

test('clearing or changing pins resets the last good shell, which a simulated fault may have set', async () => {
  const { browser } = await openWithAccess();

  for (const list of ['none', 'tools@0.2.0']) {
    const answer = await browser.send(`/new?pin=${list}`, { headers: { cookie: 'failed-shell=2.0.0' } });
    expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^failed-shell=; Max-Age=0; Path=\/$/));
  }
});

test.each([
  { list: 'key-system@9.9.9', says: 'key-system@9.9.9 is not there' },
  { list: 'unknown@1.0.0', says: 'unknown@1.0.0 is not there' },
  { list: 'key-system@canary', says: 'key-system@canary is not there' },
  { list: 'key-system@1.6.0', says: 'requires host API 1.1, the shell provides 1.0' },
  { list: 'shell@0.2.0', says: 'requires host API 1.0, the shell provides 2.0' },
  { list: 'key-system@https://evil.example/x.js', says: 'cannot be read' },
  { list: 'key-system@../../x', says: 'cannot be read' },
  { list: 'key-system', says: 'cannot be read' },
  { list: 'key-system@1.4.0,key-system@1.5.0', says: 'cannot be read' },
  { list: '__proto__@1.4.0', says: 'cannot be read' },
  { list: Array.from({ length: 13 }, (_, index) => `unit-${index}@1.0.0`).join(','), says: 'cannot be read' },
])('$list is not pinned, and the next page reports why, once', async ({ list, says }) => {
  const { browser } = await openWithAccess();

  const { path, resolution } = await browser.open(`/new?a=1&pin=${encodeURIComponent(list)}`);

  expect(path).toBe('/new?a=1');
  expect(resolution.qa?.notice).toContain(says);
  expect(resolution.qa?.pins).toEqual({});
  expect(resolution.units['key-system']).toMatchObject(STABLE_UNIT);
  expect((await browser.open('/new')).resolution.qa).toEqual({ access: true, pins: {} });
});

test.each([
  ['/key-system-1?hwid=x&', '/key-system-1?hwid=x'],
  // It leads to the page by one more redirect.
  ['/new/?', '/new'],
])('threat 41: a pin link is ignored without QA access, and the page reports it once (%s)', async (link, led) => {
  const site = await createQaFixture();
  const player = site.browser();

  const { resolution, path } = await player.open(`${link}pin=key-system@1.4.0`);
  expect(path).toBe(led);

  expect(resolution.units['key-system']).toMatchObject(STABLE_UNIT);
  expect(resolution.qa).toEqual({
    access: false,
    pins: {},
    notice: expect.stringMatching(/no QA access.*\/qa/) as string,
  });
  expect((await player.open('/new')).resolution).not.toHaveProperty('qa');
  expect([...player.jar.keys()]).toEqual([]);
});

test('without QA access a pin link gives the same message for existing and missing versions, in the page’s language', async () => {
  const site = await createQaFixture();
  const notices = new Set<unknown>();
  for (const list of ['key-system@1.4.0', 'key-system@9.9.9', 'unknown@1.0.0', 'key-system', 'shell@0.2.0']) {
    const { resolution } = await site.browser().open(`/new?pin=${list}`);
    notices.add(resolution.qa?.notice);
  }
  expect(notices.size).toBe(1);

  const reader = site.browser();
  reader.jar.set('lang', 'vi');
  expect((await reader.open('/new?pin=key-system@1.4.0')).resolution.qa?.notice).toContain('không có quyền kiểm thử');
});

test('pins expire after eight hours, and the next page reports it', async () => {
  const { site, browser } = await openWithAccess();
  await browser.open('/new?pin=key-system@1.4.0');

  site.pass(8 * HOUR - 1);
  expect((await browser.open('/new')).resolution.units['key-system']).toMatchObject(PINNED_UNIT);

  site.pass(1);
  const { resolution } = await browser.open('/new');
  expect(resolution.units['key-system']).toMatchObject(STABLE_UNIT);
  expect(resolution.qa).toMatchObject({ access: false, notice: expect.stringContaining('ended') as string });
  expect((await browser.open('/new')).resolution).not.toHaveProperty('qa');
});

test('pins that are forged, or copied from another cookie, are ignored', async () => {
  const { browser } = await openWithAccess();
  await browser.open('/new?pin=key-system@1.4.0');
  const sealed = browser.jar.get('__Host-pin') ?? '';
  for (const forged of [...forge(sealed, '1.4.0', '1.6.0'), browser.jar.get('__Host-qa')]) {
    browser.jar.set('__Host-pin', forged ?? '');
    const { resolution } = await browser.open('/new');
    expect(resolution.units['key-system']).toMatchObject(STABLE_UNIT);
    expect(resolution.qa?.notice).toContain('ended');
  }
});

test('threat 41: a pin link on another site asks for confirmation, and only a navigation can pin', async () => {
  const { browser } = await openWithAccess();
  const ask = (site: string, dest: string, mode: string) =>
    browser.sendRaw('/new?pin=key-system@1.4.0', {
      'sec-fetch-site': site,
      'sec-fetch-dest': dest,
      'sec-fetch-mode': mode,
    });

  const asked = await ask('cross-site', 'document', 'navigate');
  expect([asked.status, asked.headers.get('set-cookie')]).toEqual([200, null]);
  expect(await asked.text()).toContain('href="/new?pin=key-system@1.4.0"');

  const framed = await ask('cross-site', 'iframe', 'navigate');
  const pictured = await ask('same-origin', 'image', 'no-cors');
  expect([framed.status, pictured.status, framed.headers.get('set-cookie')]).toEqual([403, 403, null]);

  expect((await ask('none', 'document', 'navigate')).status).toBe(303);
});

test('the panel sets pins and faults, lists both, and clears them', async () => {
  const { site, browser } = await openWithAccess();
  const change = { pins: { 'key-system': '1.4.0' }, faults: { tools: 'offline' } };

  const put = await browser.send('/api/qa/pins', { method: 'PUT', body: change });
  const session = { ...change, until: site.now() + 8 * HOUR, by: 'panel' };

  expect(await put.json()).toEqual({ access: true, session });
  expect(await (await browser.send('/api/qa/pins')).json()).toEqual({ access: true, session });
  expect((await browser.open('/new')).resolution.units).toMatchObject({
    'key-system': PINNED_UNIT,
    tools: { fault: 'offline' },
  });

  await browser.open('/new?pin=key-system@1.5.0');
  expect((await browser.open('/new')).resolution.units['tools']).toMatchObject({ fault: 'offline' });

  expect((await browser.send('/api/qa/pins', { method: 'DELETE' })).status).toBe(204);
  expect(await (await browser.send('/api/qa/pins')).json()).toEqual({ access: true, session: null });
});

test('the panel rejects pins of missing versions, and every call without access', async () => {
  const { site, browser } = await openWithAccess();
  const put = (who: typeof browser, body: unknown) => who.send('/api/qa/pins', { method: 'PUT', body });

  const unfit = await put(browser, { pins: { 'key-system': '1.6.0' }, faults: {} });
  expect([unfit.status, await unfit.json()]).toMatchObject([409, { code: 'QA_PIN' }]);
  expect((await put(browser, { pins: {}, faults: { tools: 'on fire' } })).status).toBe(400);
  expect((await put(browser, { pins: { tools: 'https://evil.example' }, faults: {} })).status).toBe(400);

  const stranger = site.browser();
  const refused = await put(stranger, { pins: {}, faults: { tools: 'slow' } });
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'QA_ACCESS' }]);
  expect(stranger.jar.size).toBe(0);
});
