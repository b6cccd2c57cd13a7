import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { PAGES } from '@app/contracts/pages';
import { resolutionSchema } from '@app/contracts/resolution';
import express from 'express';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { composePage } from './compose.ts';
import { pagesRoutes, fillFirstCall } from './pages.routes.ts';
import type { ServedUnit } from '#api/delivery/registry/registry.ts';
import { selectReleases, findRoute, type SelectionCriteria } from '#api/delivery/serving/release-selection.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { listen } from '#api/test/listen.ts';
import { navigate } from '#api/test/navigate.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import { askForClaim, askForReset, callWith, DAY, EMAIL, PHONE, TABLET } from '#api/test/product/link-steps.ts';

const SETTINGS = {
  launchUrl: 'roblox://</script>',
  chunkTimeoutMs: 120_000,
  contentUrl: '/content',
  contentApiUrl: '/content-api',
  captcha: { provider: 'altcha' },
} as const;

const PLANS_ROUTE = buildRoute('/plans', {
  preload: ['remoteEntry.aaaaaaaa.js', 'static/js/plans-page.bbbbbbbb.js'],
  css: ['static/css/plans-page.bbbbbbbb.css'],
});

const SNAPSHOT = buildSnapshot([
  buildRelease('shell'),
  buildRelease('marketing', {
    routes: [PLANS_ROUTE, buildRoute('/index')],
    files: {
      'remoteEntry.aaaaaaaa.js': { sha384: 'entry', bytes: 1 },
      'static/js/plans-page.bbbbbbbb.js': { sha384: 'plans', bytes: 1 },
      'static/css/plans-page.bbbbbbbb.css': { sha384: 'looks', bytes: 1 },
    },
  }),
  buildRelease('companion', { routes: [buildRoute('/mailed', { canonical: null })] }),
  buildRelease('key-system', {
    routes: [buildRoute('/key-system-1', { canonical: null, firstCall: '/api/keysystem/state?hwid={hwid}' })],
  }),
  buildRelease('tools', { routes: [buildRoute('/new', { title: 'What is new' })] }),
]);

let url: string;

beforeEach(async () => {
  const select = () => selectReleases(SNAPSHOT);
  url = await listen(express().use(pagesRoutes({ select, settings: SETTINGS, baseUrl: () => 'https://site.example' })));
});

test('a page has its title, colours, stylesheets and every script of its first view with its hash', async () => {
  const html = await (await fetch(`${url}/plans?hwid=x`)).text();

  expect(html).toContain('<html lang="en" data-theme="info" data-accent="red">');
  expect(html).toContain('<title>Arceus Team | Upgrade plan</title>');
  expect(html).toContain(
    '<link rel="stylesheet" href="/releases/shell/static/css/shell.aaaaaaaa.css" integrity="sha384-frame" crossorigin="anonymous">',
  );
  expect(html).toContain(
    '<link rel="preload" as="style" href="/releases/marketing/static/css/plans-page.bbbbbbbb.css" integrity="sha384-looks"',
  );
  expect(html).toContain(
    '<link rel="preload" as="script" href="/releases/marketing/remoteEntry.aaaaaaaa.js" integrity="sha384-entry"',
  );
  expect(html).toContain(
    '<link rel="preload" as="script" href="/releases/marketing/static/js/plans-page.bbbbbbbb.js" integrity="sha384-plans"',
  );
  expect(html).toContain('src="/releases/shell/static/js/shell.aaaaaaaa.js" integrity="sha384-entry"');
});

test('the Link header of a page preloads its first API call with the device of the address, and its document does not', async () => {
  const answer = await fetch(`${url}/key-system-1?hwid=device-1`);
  const other = await fetch(`${url}/key-system-1`);

  expect(answer.headers.get('link')).toBe(
    '</api/keysystem/state?hwid=device-1>; rel=preload; as=fetch; crossorigin=anonymous',
  );
  expect(other.headers.get('link')).toBeNull();
  expect(await answer.text()).toBe(await other.text());
});

test.each([
  ['/plans', '/index?hwid=device-1&zone=z&os=ios&e=KS_STEP', '/plans?hwid=device-1&zone=z&os=ios'],
  ['/plans?zone=y', '/index?hwid=device-1&zone=z', '/plans?zone=y&hwid=device-1'],
  // The choice of a language is a link to the same page, which loses nothing.
  ['/plans?lang=vi', '/plans?hwid=device-1&ref=order', '/plans?lang=vi&hwid=device-1&ref=order'],
  ['/plans?lang=vi', '/index?hwid=device-1&ref=order', '/plans?lang=vi&hwid=device-1'],
  ['/plans', '/plans?ref=order', undefined],
  ['/plans?hwid=device-2', '/index?hwid=device-1', undefined],
  ['/plans', '/index?hwid=short%20&zone=%3C', undefined],
  ['/plans', '/index', undefined],
  ['/plans?hwid=device-2', '/index?hwid=device-1&zone=z', undefined],
])('a link to %s on %s leads to %s, also without JavaScript', async (path, from, to) => {
  const follow = (address: string) => navigate(new URL(address, url), { referer: `${url}${from}` });
  const answer = await follow(path);

  expect(answer.headers.get('location')).toBe(to ?? null);
  if (to === undefined) return;
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
  // The browser names the same page there.
  expect((await follow(to)).status).toBe(200);
});

test('no Referer makes the response headers exceed the limit of nginx', async () => {
  const referer = `${url}/plans?b=${'('.repeat(6000)}`;
  const answer = await navigate(new URL(`/plans?lang=en&a=${'('.repeat(6000)}`, url), { referer });

  expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
});

test('no address of another site adds anything to a page', async () => {
  for (const referer of ['https://evil.example/plans?hwid=device-1', 'http://?hwid=device-1', '?hwid=device-1'])
    expect((await navigate(new URL('/plans', url), { referer })).status, referer).toBe(200);
});

test('the boot guard of a document has the flag whether its shell has a last good version', async () => {
  expect(await (await fetch(`${url}/plans`)).text()).toContain('<script data-version="0.1.0">');
  expect(compose({ shell: { lastGood: buildRelease('shell', { version: '0.0.9' }) } })).toContain(
    '<script data-version="0.1.0" data-good="1">',
  );
});

test('a page names only the last good version of its own unit', () => {
  const page = compose({
    marketing: { lastGood: buildRelease('marketing', { version: '0.0.8' }) },
    tools: { lastGood: buildRelease('tools', { version: '0.0.7' }) },
  });

  expect(page).toContain('"version":"0.0.8"');
  expect(page).not.toContain('0.0.7');
});

test('a shell that replaces a failed one has no fallback, so that two failing shells do not alternate', () => {
  const canary = { release: buildRelease('shell', { version: '0.2.0' }), share: 10_000 };
  const shell = { canary, lastGood: buildRelease('shell', { version: '0.0.9' }) };

  expect(compose({ shell }, { isInCanary: () => true, failedShell: '0.2.0' })).toContain(
    '<script data-version="0.1.0">',
  );
});

test('a page outside the specification has the title of its route entry, and every page contains it', async () => {
  expect(await (await fetch(`${url}/new`)).text()).toContain('<title>Arceus Team | What is new</title>');

  const { units } = v.parse(resolutionSchema, await readScript('resolution'));
  expect(units['tools']?.titles).toEqual({ '/new': 'What is new' });
});

test('the release selection in the page has one version of every unit', async () => {
  const { units } = v.parse(resolutionSchema, await readScript('resolution'));

  expect(Object.keys(units)).toEqual(['shell', 'marketing', 'companion', 'key-system', 'tools']);
  expect(units['marketing']).toMatchObject({ version: '0.1.0', source: 'stable', routes: ['/plans', '/index'] });
});

test('the settings in a page are escaped, so that no value closes their script', async () => {
  expect(await readScript('settings')).toEqual(SETTINGS);
});

test.each([
  { asked: '/plans/', leadsTo: '/plans' },
  { asked: '/plans/?hwid=device-1&zone=z', leadsTo: '/plans?hwid=device-1&zone=z' },
  { asked: '/plans//', leadsTo: '/plans' },
  { asked: '//plans', leadsTo: '/plans' },
  { asked: '//plans//?a=//b/', leadsTo: '/plans?a=//b/' },
  { asked: '/index.html', leadsTo: '/index' },
  { asked: '/index.html/?os=ios', leadsTo: '/index?os=ios' },
  { asked: 'http://evil.example/plans/', leadsTo: '/plans' },
  { asked: 'http://evil.example/plans/?hwid=device-1', leadsTo: '/plans?hwid=device-1' },
])('$asked redirects to the one page $leadsTo', async ({ asked, leadsTo }) => {
  const response = await askRaw(asked);

  expect(response.statusCode).toBe(308);
  expect(response.headers.location).toBe(leadsTo);
});

test.each([
  '//evil.example',
  '//evil.example/',
  '///evil.example/plans/',
  '/\\evil.example/',
  '//evil.example/%2e%2e',
  '//evil.example//plans/',
  '/plans/%2f',
  '//evil.example%23/plans',
  '/%23//evil.example',
  '/nowhere%23t=a',
  '/plans.js%23t=a',
  '/PLANS/',
])('a redirect for %s neither leaves the site nor leads to another page', async (path) => {
  const { statusCode, headers } = await askRaw(path);

  expect([302, 404]).toContain(statusCode);
  if (statusCode === 302) expect(headers.location).toBe('/index#not-found');
});

test('pages for one visitor are not stored, those of a run only by the browser, other pages are revalidated', async () => {
  expect((await fetch(`${url}/mailed`)).headers.get('cache-control')).toBe('no-store');
  expect((await fetch(`${url}/key-system-1`)).headers.get('cache-control')).toBe('private, no-cache');
  expect((await fetch(`${url}/plans`)).headers.get('cache-control')).toBe('no-cache');
});

test.each([
  { asked: '/nowhere', leadsTo: '/index#not-found' },
  { asked: '/nowhere/?x=1', leadsTo: '/index#not-found' },
  { asked: '/nowhere?x=1&os=IOS&hwid=device-1&zone=z', leadsTo: '/index?hwid=device-1&zone=z&os=ios#not-found' },
  { asked: '/nowhere?lang=vi&x=1', leadsTo: '/index?lang=vi#not-found' },
  { asked: '/nowhere?lang=xx', leadsTo: '/index#not-found' },
  { asked: '/nowhere?hwid=<script>&zone=z', leadsTo: '/index?zone=z#not-found' },
])('an unknown page ($asked) redirects to $leadsTo', async ({ asked, leadsTo }) => {
  const response = await fetch(url + asked, { redirect: 'manual' });

  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(leadsTo);
});

test.each([
  ...['/api/nothing', '/releases/shell/9.9.9/x', '/nothing.js', '/.well-known/nothing', '/dev/nothing', '/api'],
  // Taken for unknown pages, these would redirect to the home page, and a load balancer would take every server out.
  ...['/healthz', '/readyz', '/content/nothing', '/download/nothing', '/API/nothing', '/Readyz'],
])('answers 404 to %s', async (path) => {
  expect((await fetch(url + path, { redirect: 'manual' })).status).toBe(404);
});

/** The JSON in a script of the document of `/plans`. */
async function readScript(id: string): Promise<unknown> {
  const html = await (await fetch(`${url}/plans`)).text();
  return JSON.parse(new RegExp(`<script id="${id}" type="application/json">(.*?)</script>`).exec(html)?.[1] ?? '');
}

/** The document of `/plans` when more than the stable releases of some units is served. */
function compose(changes: Record<string, Partial<ServedUnit>>, criteria: SelectionCriteria = {}): string {
  const stables = [...SNAPSHOT.units.values()].map(({ stable }) => stable);
  const selection = selectReleases(buildSnapshot(stables, changes), criteria);
  const found = findRoute(selection, '/plans');
  if (!found) throw new Error('No unit has the page.');
  return composePage({
    selection,
    ...found,
    pathAndQuery: '/plans',
    settings: SETTINGS,
    baseUrl: 'https://site.example',
  });
}

/** Requests a path exactly as it is written; `fetch` would normalise it. */
async function askRaw(path: string): Promise<IncomingMessage> {
  const { port } = new URL(url);
  const [response] = (await once(get({ host: '127.0.0.1', port, path }), 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

const PRELOADED_CALL = '/api/keysystem/state?hwid={hwid}&app=main&zone={zone?}';

test.each([
  ['?zone=z1&os=ios&hwid=device-1', '/api/keysystem/state?hwid=device-1&app=main&zone=z1'],
  ['?hwid=device-1', '/api/keysystem/state?hwid=device-1&app=main'],
  ['?hwid=device-1&zone=', '/api/keysystem/state?hwid=device-1&app=main'],
])('the preloaded call at %s is the call that the page makes', (search, call) => {
  expect(fillFirstCall(PRELOADED_CALL, new URLSearchParams(search))).toBe(call);
});

test.each(['', '?zone=z1', '?hwid=', '?hwid=a%3E%0D%0Ab', '?hwid=device-1&zone=%3Cz%3E'])(
  'the page at "%s" preloads no call',
  (search) => {
    expect(fillFirstCall(PRELOADED_CALL, new URLSearchParams(search))).toBeUndefined();
  },
);

test('a call independent of the address is preloaded for every visitor', () => {
  expect(fillFirstCall('/api/downloads', new URLSearchParams('?hwid=device-1'))).toBe('/api/downloads');
});

/** A site that has sent every mail with a link whose secret stands after the `#`. */
async function openSite() {
  const pages = [PAGES.home, PAGES.plans, PAGES.resetDevices, PAGES.claimPlan];
  const snapshot = buildSnapshot([
    buildRelease('shell'),
    buildRelease('marketing', { routes: pages.map((path) => buildRoute(path)) }),
  ]);
  const api = await createTestApi({
    files: [
      pagesRoutes({
        select: () => selectReleases(snapshot),
        settings: SITE_SETTINGS,
        baseUrl: () => 'https://site.example',
      }),
    ],
  });
  await insertLicence(api.db, { email: EMAIL, startsAt: api.now() - DAY, hwids: [PHONE] });
  await askForClaim(api, TABLET);
  await callWith(api, '/api/confirmresetdevices', await askForReset(api));

  const texts = (await api.mails()).map(({ text }) => text).join('\n');
  const links = [...texts.matchAll(/^https?:\S+#\S+$/gm)].map(([link]) => link.slice(api.origin.length));
  return { api, links };
}

test.each([
  { how: 'with %23 in its path', write: (link: string) => link.replace('#', '%23'), query: '' },
  { how: 'encoded twice', write: (link: string) => link.replace('#', '%2523'), query: '' },
  { how: 'encoded three times', write: (link: string) => link.replace('#t=', '%252523t%25253D'), query: '' },
  { how: 'with its = encoded', write: (link: string) => link.replace('#t=', '%23t%3D'), query: '' },
  { how: 'with its = encoded twice', write: (link: string) => link.replace('#t=', '%2523t%253d'), query: '' },
  { how: 'with a slash before it', write: (link: string) => link.replace('#', '/%23'), query: '' },
  { how: 'with a slash after it', write: (link: string) => `${link.replace('#', '%23')}/`, query: '' },
  { how: 'with what a scanner adds', write: (link: string) => `${link.replace('#', '%23')}?data=1`, query: '?data=1' },
])('threat 29: each mailed link that comes $how opens its page, and its token is not logged', async (form) => {
  const { api, links } = await openSite();
  expect(links.map((link) => link.split('#')[0])).toEqual([PAGES.claimPlan, PAGES.resetDevices]);

  for (const link of links) {
    const answer = await api.visit(form.write(link));
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(link.replace('#', `${form.query}#`));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  }
  await expect.poll(() => api.logged.filter((line) => line.includes('"status":302'))).toHaveLength(links.length);
  for (const link of links) expect(api.logged.join()).not.toContain(link.split('#t=')[1]);
});
