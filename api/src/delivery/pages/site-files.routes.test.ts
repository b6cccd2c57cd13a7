import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import express from 'express';
import { beforeEach, expect, test } from 'vitest';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { listen } from '#api/test/listen.ts';
import { siteFilesRoutes } from './site-files.routes.ts';

const PICTURES_FOLDER = resolve(import.meta.dirname, '../../../pictures');
const MAX_PICTURE_BYTES = 60 * 1024;
const DAY_IN_MS = 24 * 60 * 60 * 1000;
const BASE_URL = 'https://site.example';

const SNAPSHOT = buildSnapshot([
  buildRelease('shell', {
    routes: [buildRoute('/qa/design', { canonical: null })],
    css: ['shell.css'],
    translations: { vi: { script: 'vi.js', css: 'vi.css', fonts: ['vi.woff2'] } },
  }),
  buildRelease('marketing', {
    routes: [buildRoute('/'), buildRoute('/index', { canonical: '/' }), buildRoute('/neo')],
  }),
  buildRelease('companion', {
    version: '2.0.0',
    files: { 'third-party-notices.txt': { sha384: 'notices', bytes: 1 } },
  }),
  buildRelease('key-system'),
  buildRelease('tools', { routes: [buildRoute('/encrypter')] }),
]);

const STYLES: Readonly<Record<string, string>> = {
  'shell.css':
    '@font-face{font-family:A;src:url(/a.woff2)}:root{--bg:red;--font-text:A;--font-display:B}b{--font-text:C;--font-display:C}@font-face{font-family:B}',
  'vi.css': '@font-face{font-family:V}:root:lang(vi){--font-text:V}',
};

let url: string;
let now = Date.parse('2026-11-20T12:00:00Z');
let contact: string | undefined;

beforeEach(async () => {
  const files = {
    folder: PICTURES_FOLDER,
    registry: { snapshot: () => SNAPSHOT },
    baseUrl: () => BASE_URL,
    readStyle: (_release: unknown, file: string) =>
      Promise.resolve({ url: file, text: STYLES[file] ?? '', source: file }),
    now: () => now,
  };
  // As after a start with other settings.
  url = await listen(express().use((req, res, next) => siteFilesRoutes({ ...files, contact })(req, res, next)));
});

test.each([
  ['/robots.txt', 'text/plain', 'Sitemap: https://site.example/sitemap.xml'],
  ['/sitemap.xml', 'application/xml', '<loc>https://site.example/neo</loc>'],
  ['/manifest.webmanifest', 'application/manifest+json', '"short_name":"Arceus X"'],
])('%s has the expected type and content', async (path, type, text) => {
  const response = await fetch(url + path);

  expect(response.headers.get('content-type')).toContain(type);
  expect(await response.text()).toContain(text);
});

test('/fonts.css has the fonts of the shell in all languages, and nothing else of its styles', async () => {
  const response = await fetch(`${url}/fonts.css`);

  expect(response.headers.get('content-type')).toContain('text/css');
  expect(await response.text()).toBe(
    '@font-face{font-family:A;src:url(/a.woff2)}@font-face{font-family:B}:root{--font-text:A;--font-display:B}' +
      STYLES['vi.css'],
  );
});

const WORKER_PATHS = ['/service-worker.js', '/serviceworker.js', '/sw.js', '/ngsw-worker.js'];
const SCRIPT_PATHS = [
  ...['/static/js/main.3f2a9c1b.js', '/static/js/2.abc.chunk.js', '/static/js/bundle.js', '/assets/index-DqR1.js'],
  ...['/js/app.1c2d.js', '/_next/static/chunks/main-1a.js', '/_nuxt/entry.5e.js', '/main.9f.js', '/polyfills-5C.js'],
];

test.each([...WORKER_PATHS, ...SCRIPT_PATHS])(
  'the worker script %s of a former site is answered with a script that is not cached',
  async (path) => {
    const { status, headers } = await fetch(url + path);

    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect([headers.get('cache-control'), headers.get('x-accel-expires')]).toEqual(['no-store', null]);
    expect((await fetch(url + path, { method: 'POST' })).status).toBe(405);
  },
);

test.each(WORKER_PATHS)('%s unregisters the former site’s worker, and reloads each page that it can', async (path) => {
  const events: Record<string, (event: object) => void> = {};
  const done: string[] = [];
  const note = (what: string) => (value?: string) => Promise.resolve(void done.push(value ? `${what} ${value}` : what));
  let ended: Promise<unknown> | undefined;
  const page = { url: 'https://site.example/neo?os=ios#faq', navigate: note('show') };
  const misleading = { ...page, url: 'https://site.example//evil.example/steal' };
  const refusing = { ...page, navigate: () => Promise.reject(new Error('It does not navigate.')) };
  runInNewContext(await (await fetch(url + path)).text(), {
    addEventListener: (name: string, listen: (event: object) => void) => void (events[name] = listen),
    skipWaiting: note('do not wait'),
    caches: { keys: () => Promise.resolve(['a', 'b']), delete: note('delete') },
    registration: { unregister: note('unregister') },
    clients: { matchAll: () => Promise.resolve([refusing, page, misleading]) },
    location: { origin: 'https://site.example' },
    URL,
  });

  events['install']?.({});
  events['activate']?.({ waitUntil: (whole: Promise<unknown>) => (ended = whole) });
  await ended;
  expect(done).toEqual([
    ...['do not wait', 'delete a', 'delete b', 'unregister', 'show https://site.example/neo%23faq?os=ios'],
    'show https://site.example//evil.example/steal',
  ]);
});

test.each([
  { type: 'navigate', workers: 'found', does: ['unregister', 'reload'] },
  { type: 'back_forward', workers: 'found', does: ['unregister', 'reload'] },
  { type: 'reload', workers: 'found', does: ['unregister'] },
  { type: 'navigate', workers: 'not told', does: ['reload'] },
])('a page of a former site that came by $type, with its workers $workers, does $does', async (page) => {
  const done: string[] = [];
  const unregister = () => Promise.resolve(void done.push('unregister'));
  const getRegistrations = () =>
    page.workers === 'found' ? Promise.resolve([{ unregister }]) : Promise.reject(new Error('They are not told.'));
  const script = await (await fetch(`${url}${SCRIPT_PATHS[0]}`)).text();
  const running = runInNewContext(script, {
    navigator: { serviceWorker: { getRegistrations } },
    performance: { getEntriesByType: () => [page] },
    location: { reload: () => void done.push('reload') },
  }) as Promise<void>;
  await running.catch(() => undefined);

  expect(done).toEqual(page.does);
});

test.each(['/static/css/main.3f2a9c1b.css', '/static/js/', '/static/js/main.js.map', '/vendor.js', '/share/main.js'])(
  'answers 404 to %s, which is no worker script of a former site',
  async (path) => {
    expect((await fetch(url + path)).status).toBe(404);
  },
);

test('security.txt has the fields of RFC 9116, and by default the mailbox of our host', async () => {
  contact = undefined;
  const { type, fields } = await readSecurityTxt();

  expect(type).toBe('text/plain; charset=utf-8');
  expect(fields).toEqual({
    Contact: 'mailto:security@site.example',
    Expires: '2027-02-18T00:00:00.000Z',
    Canonical: 'https://site.example/.well-known/security.txt',
    'Preferred-Languages': 'en',
  });
});

test('the contact of security.txt comes from the settings', async () => {
  contact = 'https://site.example/report';

  expect((await readSecurityTxt()).fields['Contact']).toBe('https://site.example/report');
});

test('security.txt expires within a year from the request, even on a server that has run for years', async () => {
  for (const years of [0, 1, 5]) {
    now = Date.parse('2026-11-20T23:59:59Z') + years * 365 * DAY_IN_MS;
    const left = Date.parse((await readSecurityTxt()).fields['Expires'] ?? '') - now;

    expect(left).toBeGreaterThan(30 * DAY_IN_MS);
    expect(left).toBeLessThan(365 * DAY_IN_MS);
  }
});

test('the third-party notices are those of the stable releases', async () => {
  const response = await fetch(`${url}/third-party-notices.txt`);

  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect((await response.text()).split('\n').slice(1)).toEqual([
    'https://site.example/releases/companion/2.0.0/third-party-notices.txt',
    '',
  ]);
});

test('the sitemap lists each indexable page once', async () => {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();

  const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  expect(listed).toEqual(['https://site.example/', 'https://site.example/neo', 'https://site.example/encrypter']);
});

test('every icon and share picture that pages name exists', async () => {
  const names = ['v5', 'neo', 'v3', 'plans', 'companion', 'key-system', 'tools'].map((name) => `/share/${name}.jpg`);
  for (const path of [
    ...names,
    '/icon.svg',
    '/icon-192.png',
    '/icon-512.png',
    '/apple-touch-icon.png',
    '/favicon.ico',
  ]) {
    const { status, headers } = await fetch(url + path);
    // They are the same for all, so our proxy may keep them.
    expect([status, headers.get('x-accel-expires')], path).toEqual([200, '10']);
  }
});

test('no picture weighs more than 60 KB', () => {
  for (const name of readdirSync(PICTURES_FOLDER, { recursive: true, encoding: 'utf8' })) {
    const file = statSync(join(PICTURES_FOLDER, name));
    if (file.isFile()) expect(file.size, name).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
  }
});

/** The fields of security.txt. RFC 9116 has one in each line, and an end behind the last one. */
async function readSecurityTxt() {
  const response = await fetch(`${url}/.well-known/security.txt`);
  const lines = (await response.text()).split('\n');
  expect(lines.pop()).toBe('');
  const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2))) as Record<string, string>;
  return { type: response.headers.get('content-type'), fields };
}
