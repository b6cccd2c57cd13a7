import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import { expect, test } from 'vitest';
import { pagesRoutes } from './pages.routes.ts';
import { federationRoutes } from '#api/delivery/serving/federation.routes.ts';
import { type ReleaseSelection, selectReleases } from '#api/delivery/serving/release-selection.ts';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { listen } from '#api/test/listen.ts';

const SELECTION = selectReleases(
  buildSnapshot([
    buildRelease('shell'),
    buildRelease('marketing', { routes: [buildRoute('/plans')] }),
    buildRelease('key-system', { routes: [buildRoute('/key-system-1', { canonical: null })] }),
  ]),
);

/** A server whose pages are rendered as `html()` says. */
async function openSite({
  html = () => '<p>rendered</p>',
  selection = SELECTION,
}: { html?: () => string | undefined; selection?: ReleaseSelection } = {}) {
  let asked = 0;
  const origin = await listen(
    express().use(
      pagesRoutes({
        select: (req, res) => {
          if (req.query['side'] === 'unknown') res.append('set-cookie', '__Host-v=browser-1');
          return selection;
        },
        settings: SITE_SETTINGS,
        baseUrl: () => 'https://site.example',
        prerendering: { find: () => (asked++, html()) },
      }),
    ),
  );

  return {
    timesAsked: () => asked,
    ask: async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const sent = get(origin + path, { headers, method });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: answer.statusCode, headers: answer.headers, bytes: (await buffer(answer)).length };
    },
  };
}

test('answers 304 for an unchanged page in each content coding', async () => {
  const { ask } = await openSite();
  const tags = [];
  for (const coding of ['br', 'gzip', '']) {
    const { headers } = await ask('/plans', { 'accept-encoding': coding });
    tags.push(headers.etag);
    expect(headers['content-encoding']).toBe(coding || undefined);
    expect(await ask('/plans', { 'accept-encoding': coding, 'if-none-match': headers.etag ?? '' })).toMatchObject({
      status: 304,
      bytes: 0,
    });
  }

  expect(new Set(tags).size).toBe(3);
  expect((await ask('/plans', { 'accept-encoding': 'br', 'if-none-match': tags[1] ?? '' })).status).toBe(200);
  expect((await ask('/plans')).headers.vary).toContain('Accept-Encoding');
});

test('a rendering that arrives later changes the page and its ETag', async () => {
  const pages = new Map<string, string>();
  const { ask } = await openSite({ html: () => pages.get('/plans') });
  const before = await ask('/plans');
  pages.set('/plans', '<p>rendered</p>');
  const after = await ask('/plans', { 'if-none-match': before.headers.etag ?? '' });

  expect(after.status).toBe(200);
  expect(after.headers.etag).not.toBe(before.headers.etag);
});

test('HEAD has the headers of GET, without the page', async () => {
  const { ask } = await openSite();
  for (const path of ['/plans', '/key-system-1']) {
    const [head, full] = [await ask(path, {}, 'HEAD'), await ask(path)];
    expect(head).toMatchObject({ status: 200, bytes: 0 });
    expect(head.headers['content-length']).toBe(String(full.bytes));
    expect(head.headers.etag).toBe(full.headers.etag);
  }
});

test('a page with no-store has no ETag, and is sent in full to a client with If-None-Match', async () => {
  const { ask } = await openSite();
  const { headers } = await ask('/key-system-1');

  expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
  expect((await ask('/key-system-1', { 'if-none-match': '*' })).status).toBe(200);
});

test('a new cookie is also set with a 304', async () => {
  const { ask } = await openSite();
  const { headers } = await ask('/plans');
  const again = await ask('/plans?side=unknown', { 'if-none-match': headers.etag ?? '' });

  expect(again.status).toBe(304);
  expect(again.headers).toMatchObject({ 'set-cookie': ['__Host-v=browser-1'], 'cache-control': 'private, no-cache' });
});

test.each(['identity;q=0, *;q=0', 'br;q=nonsense', '\u00e4\u00f6', 'zstd', ',,;;==', 'gzip'.repeat(500)])(
  'answers Accept-Encoding %j with the whole page',
  async (coding) => {
    const { ask } = await openSite();
    const plain = await ask('/plans');

    expect(await ask('/plans', { 'accept-encoding': coding })).toMatchObject({ status: 200, bytes: plain.bytes });
  },
);

test('a range request for a page is answered with the whole page', async () => {
  const { ask } = await openSite();

  expect((await ask('/plans', { range: 'bytes=0-9' })).status).toBe(200);
});

test('threat 43: pages are composed a bounded number of times, whatever the query', async () => {
  const { ask, timesAsked } = await openSite();
  for (let nth = 0; nth < 100; nth++)
    await ask(`/plans?nth=${String(nth)}&text=${['green', 'index', 'rosaverx', 'x'][nth % 4] ?? ''}`);

  expect(timesAsked()).toBeLessThanOrEqual(4);
});

const VIETNAMESE_HEADERS = { 'accept-language': 'vi-VN,vi;q=0.9,en;q=0.5' };

/** A site in English and Vietnamese. */
async function openSiteInLanguages() {
  const selection = selectReleases(
    buildSnapshot([
      buildRelease('shell', { translations: { vi: { script: 'shell-vi.js' } } }),
      buildRelease('marketing', {
        routes: [buildRoute('/plans')],
        translations: { vi: { script: 'plans-vi.js' } },
        files: { 'plans-vi.js': { sha384: 'texts', bytes: 1 } },
      }),
    ]),
  );
  const select = () => selection;
  const pages = pagesRoutes({ select, settings: SITE_SETTINGS, baseUrl: () => 'https://site.example' });
  const origin = await listen(express().use(federationRoutes({ select }), pages));

  return async (path: string, headers: Record<string, string> = {}) => {
    const res = await fetch(origin + path, { headers });
    const text = await res.text();
    return { headers: res.headers, text, language: /<html lang="(\w+)"/.exec(text)?.[1] };
  };
}

test.each([
  ['vi', {}],
  ['en', VIETNAMESE_HEADERS],
])('a language parameter "%s" selects that language, and is kept in a cookie for a year', async (lang, headers) => {
  const ask = await openSiteInLanguages();
  const { language, ...answer } = await ask(`/plans?hwid=device-1&lang=${lang}`, headers);

  expect(language).toBe(lang);
  expect(answer.headers.get('set-cookie')).toMatch(
    new RegExp(`^lang=${lang}; Max-Age=31536000; Path=/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$`),
  );
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
});

test('a language from Accept-Language is not kept in a cookie, and responses vary by it', async () => {
  const ask = await openSiteInLanguages();
  const { language, headers } = await ask('/plans', VIETNAMESE_HEADERS);

  expect(language).toBe('vi');
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('vary')?.split(', ')).toContain('Accept-Language');
  expect((await ask('/plans')).language).toBe('en');
});

test('an open page gets the addresses of other units’ translations in its language, with their hashes', async () => {
  const ask = await openSiteInLanguages();
  const textsOf = async (path: string, headers = {}) =>
    (JSON.parse((await ask(path, headers)).text) as { units: Record<string, object> }).units['marketing'];
  const translations = { url: '/releases/marketing/0.1.0/plans-vi.js', integrity: 'sha384-texts' };

  expect(await textsOf('/federation/resolution?for=/plans', VIETNAMESE_HEADERS)).toMatchObject({ translations });
  expect(await textsOf('/federation/resolution?for=/plans?lang=vi')).toMatchObject({ translations });
  expect(await textsOf('/federation/resolution?for=/plans')).not.toHaveProperty('translations');
});
