import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync, renameSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Release } from '@app/contracts/release';
import { FEDERATION_MANIFEST } from '@app/contracts/unit';
import express, { type Router } from 'express';
import { beforeEach, expect, test } from 'vitest';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { securityHeaders } from '#api/foundation/http/headers.ts';
import { buildRelease, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { editedRoutes, releasesRoutes } from './releases.routes.ts';
import { sendFile } from './send-file.ts';

const CODE = 'export const answer = 42; // '.padEnd(400, 'long enough to be worth it ');
const IMMUTABLE_FOR_A_YEAR = 'public, max-age=31536000, immutable';

let folder: string;
let releases: Release[];
let served: Release[];
let searches: number;
let url: string;

beforeEach(async () => {
  folder = join(makeFolder(), 'releases');
  releases = [buildRelease('tools', { files: listing('a.js', 'b.js', 'b.js.map', 'server.cjs', 'odd.js') })];
  served = [];
  searches = 0;
  write('tools/0.1.0/a.js');
  write('tools/0.1.0/a.js.br', brotliCompressSync(CODE));
  write('tools/0.1.0/a.js.gz', gzipSync(CODE));
  for (const name of [
    'api/main.js',
    'tools/.inputs',
    'tools/0.1.0/release.json',
    'tools/0.1.0/a.js.map',
    'tools/0.1.0/b.js.map',
    'tools/0.1.0/server.cjs',
    'tools/0.1.0/unlisted.js',
    'tools/0.2.0/a.js',
    '.incoming/x/a.js',
    'release.json',
  ])
    write(name);
  url = await serve(
    releasesRoutes(folder, {
      snapshot: () => buildSnapshot(served),
      find: (unit, version) => {
        searches++;
        return Promise.resolve(releases.find((known) => known.unit === unit && known.version === version));
      },
    }),
  );
});

test.each([
  ['br, gzip', 'br'],
  ['gzip, br', 'br'],
  ['gzip;q=1, br;q=0.1', 'gzip'],
  ['gzip', 'gzip'],
  ['identity', null],
  ['br;q=0, gzip;q=0', null],
])('for Accept-Encoding %j a file is sent as compressed by the build: %s', async (accepted, coding) => {
  const { status, headers, body } = await get('/tools/0.1.0/a.js', { 'accept-encoding': accepted });

  expect([status, headers['content-encoding'] ?? null]).toEqual([200, coding]);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': IMMUTABLE_FOR_A_YEAR,
    vary: 'Accept-Encoding',
  });
  expect(body).not.toBe('');
  expect(await (await fetch(`${url}/tools/0.1.0/a.js`, { headers: { 'accept-encoding': accepted } })).text()).toBe(
    CODE,
  );
});

test.each([['a.js.gz'], ['a.js.br']])(
  'when only the variant %s is left, it is decompressed for clients that do not accept it',
  async (left) => {
    for (const name of ['a.js', 'a.js.br', 'a.js.gz']) if (name !== left) rmSync(join(folder, 'tools/0.1.0', name));

    const plain = await get('/tools/0.1.0/a.js', { 'accept-encoding': 'identity' });
    expect(plain).toMatchObject({ status: 200, body: CODE });
    expect(plain.headers).toMatchObject({
      'content-length': String(CODE.length),
      'cache-control': IMMUTABLE_FOR_A_YEAR,
    });
    expect(await get('/tools/0.1.0/a.js', { 'accept-encoding': 'identity' }, 'HEAD')).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': String(CODE.length) },
    });
    expect(
      await get('/tools/0.1.0/a.js', { 'accept-encoding': 'identity', 'if-none-match': plain.headers.etag ?? '' }),
    ).toMatchObject({ status: 304, body: '' });
  },
);

test('each encoded variant has its own ETag, and is revalidated by it', async () => {
  const forms = await Promise.all(
    ['br', 'gzip', 'identity'].map((accepted) => get('/tools/0.1.0/a.js', { 'accept-encoding': accepted })),
  );
  const etags = forms.map(({ headers }) => headers.etag ?? '');

  expect(new Set(etags).size).toBe(3);
  const again = await get('/tools/0.1.0/a.js', { 'accept-encoding': 'br', 'if-none-match': etags[0] ?? '' });
  expect(again).toMatchObject({
    status: 304,
    body: '',
    headers: { etag: etags[0], 'cache-control': IMMUTABLE_FOR_A_YEAR },
  });
  expect(await get('/tools/0.1.0/a.js', { 'accept-encoding': 'br', 'if-none-match': etags[1] ?? '' })).toMatchObject({
    status: 200,
  });
});

test('a range of a file can be requested; an unsatisfiable one is rejected, and that response is not cached', async () => {
  const plain = { 'accept-encoding': 'identity' };
  expect(await get('/tools/0.1.0/a.js', { ...plain, range: 'bytes=7-11' })).toMatchObject({
    status: 206,
    body: CODE.slice(7, 12),
    headers: { 'content-range': `bytes 7-11/${CODE.length}` },
  });

  const outside = await get('/tools/0.1.0/a.js', { ...plain, range: 'bytes=9000-' });
  expect(outside).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${CODE.length}` } });
  expect(outside.headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(outside.headers).not.toHaveProperty('x-accel-expires');
  expect(await get('/tools/0.1.0/a.js', { ...plain, 'if-match': '"other"' })).toMatchObject({ status: 412 });
});

test('HEAD has the headers of GET', async () => {
  const head = await get('/tools/0.1.0/a.js', { 'accept-encoding': 'br' }, 'HEAD');

  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers).toMatchObject({
    'content-encoding': 'br',
    'content-length': String(brotliCompressSync(CODE).length),
  });
});

test.each([
  '/api/main.js',
  '/tools/.inputs',
  '/tools/0.1.0/release.json',
  '/tools/0.1.0/a.js.br',
  '/tools/0.1.0/a.js.map',
  '/tools/0.1.0/b.js.map',
  '/tools/0.1.0/b.js%2emap',
  '/tools/0.1.0/B.JS.MAP',
  '/tools/0.1.0/server.cjs',
  '/tools/0.1.0/unlisted.js',
  '/tools/0.1.0/constructor',
  '/tools/0.1.0/..%2f..%2fapi/main.js',
  '/tools/0.1.0/%2e%2e/%2e%2e/api/main.js',
  '/tools/../api/main.js',
  '//api/main.js',
  '/%61pi/main.js',
  '/tools%2f0.1.0%2fa.js',
  '/.incoming/x/a.js',
])('answers 404 to %s, which no release lists for visitors', async (path) => {
  const response = await get(path);

  expect(response.status).toBe(404);
  expect(response.body).not.toContain(CODE);
});

test('a file with a hash in its name is served without a version, from any release with a whole copy', async () => {
  const name = 'static/js/page.0a1b2c3d.js';
  for (const version of ['0.2.0', '0.3.0'])
    releases.push(buildRelease('tools', { version, files: listing('odd.js', name) }));
  write(`tools/0.2.0/${name}`);
  write(`tools/0.3.0/${name}`);

  expect(await get(`/tools/${name}`)).toMatchObject({
    status: 200,
    body: CODE,
    headers: { 'cache-control': IMMUTABLE_FOR_A_YEAR },
  });
  for (const version of ['0.2.0', '0.3.0']) {
    write(`tools/${version}/${name}`, 'cut');
    write(`tools/${version === '0.2.0' ? '0.3.0' : '0.2.0'}/${name}`);
    expect(await get(`/tools/${name}`)).toMatchObject({ status: 200, body: CODE });
  }
  for (const version of ['0.2.0', '0.3.0']) rmSync(join(folder, 'tools', version), { recursive: true });
  expect(await get(`/tools/${name}`)).toMatchObject({ status: 404 });
});

test('a file opened by navigation is no page of the site, and a worker script keeps its own policy', async () => {
  releases.push(buildRelease('tools', { version: '0.2.0', files: listing('win.html', 'win.svg', 'win.js') }));
  for (const name of ['win.html', 'win.svg', 'win.js']) write(`tools/0.2.0/${name}`);
  const policyOf = async (name: string) => (await get(`/tools/0.2.0/${name}`)).headers['content-security-policy'];

  for (const name of ['win.html', 'win.svg']) expect(await policyOf(name)).toMatch(/^default-src 'none';.* sandbox$/);
  expect(await policyOf('win.js')).toBeUndefined();
});

test('a currently served release takes precedence over others that list the file', async () => {
  const name = 'static/js/page.0a1b2c3d.js';
  for (const version of ['0.2.0', '0.3.0', '0.4.0'])
    releases.push(buildRelease('tools', { version, files: listing(name) }));
  write(`tools/0.2.0/${name}`, CODE.replace('42', '41'));
  write(`tools/0.4.0/${name}`, CODE.replace('42', '41'));
  expect((await get(`/tools/${name}`)).body).not.toBe(CODE);

  served = releases.filter(({ version }) => version === '0.3.0');
  write(`tools/0.3.0/${name}`);
  expect((await get(`/tools/${name}`)).body).toBe(CODE);
});

test.each([
  'tools/odd.js',
  'tools/static/js/page.ffffffff.js',
  'nowhere/page.0a1b2c3d.js',
  'tools/server.0a1b2c3d.cjs',
])('answers 404 to %s without a version', async (path) => {
  write('tools/0.1.0/odd.js');

  const { status, headers } = await get(`/${path}`);
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
});

test('files of an unpublished folder are not served', async () => {
  expect((await get('/tools/0.2.0/a.js')).status).toBe(404);

  releases.push(buildRelease('tools', { version: '0.2.0', files: listing('a.js') }));
  expect(await get('/tools/0.2.0/a.js')).toMatchObject({ status: 200, body: CODE });
});

test('an unknown version causes no lookup, and a file that a release no longer lists is not served', async () => {
  await get('/tools/9.9.9/a.js');
  expect(searches).toBe(0);

  expect((await get('/tools/0.1.0/a.js')).status).toBe(200);
  releases = [];
  expect((await get('/tools/0.1.0/a.js')).status).toBe(404);
});

test('the release that served a file is tried first for the next request', async () => {
  const name = 'static/js/page.0a1b2c3d.js';
  releases.push(buildRelease('tools', { version: '0.9.0', files: listing(name) }));
  write(`tools/0.9.0/${name}`);
  await get(`/tools/${name}`);

  searches = 0;
  expect((await get(`/tools/${name}`)).status).toBe(200);
  expect(searches).toBe(1);
});

test('a removed version counts as unknown from the next request on', async () => {
  expect((await get('/tools/0.1.0/a.js')).status).toBe(200);
  releases = [];
  rmSync(join(folder, 'tools/0.1.0'), { recursive: true });
  await get('/tools/0.1.0/a.js');

  searches = 0;
  expect((await get('/tools/0.1.0/a.js')).status).toBe(404);
  expect(searches).toBe(0);
});

test('threat 38: symbolic links are never followed', async () => {
  symlinkSync(join(folder, 'api/main.js'), join(folder, 'tools/0.1.0/odd.js'));
  expect((await get('/tools/0.1.0/odd.js')).status).toBe(404);

  releases.push(buildRelease('tools', { version: '0.3.0', files: { 'main.js': { sha384: 'x', bytes: CODE.length } } }));
  symlinkSync(join(folder, 'api'), join(folder, 'tools/0.3.0'));
  expect((await get('/tools/0.3.0/main.js')).status).toBe(404);
});

test.each(['/tools/0.1.0/b.js', '/tools/0.1.0/', '/tools/0.1.0', '/..%2f..%2fetc/passwd', '/'])(
  'answers %s with a 404 problem that is not cached',
  async (path) => {
    const response = await fetch(url + path, { redirect: 'manual' });

    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-expires')).toBeNull();
  },
);

test('an edited file is revalidated, and server files beside it are not served', async () => {
  const edited = await serve(editedRoutes(folder));

  const answer = await fetch(`${edited}/tools/0.1.0/unlisted.js`);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=0']);
  for (const path of ['/api/main.js', '/tools/.inputs', '/tools/0.1.0/.hidden'])
    expect((await fetch(edited + path)).status).toBe(404);
});

function write(name: string, content: string | Buffer = CODE): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function listing(...names: string[]): Release['files'] {
  const sha384 = createHash('sha384').update(CODE).digest('base64');
  return Object.fromEntries(names.map((name) => [name, { sha384, bytes: CODE.length }]));
}

async function serve(router: Router): Promise<string> {
  const app = express().use(
    router,
    handleError(() => undefined),
  );
  return `${await listen(app)}/releases`;
}

/** Requests a path exactly as it is written; `fetch` would normalise it, and decompress the answer. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(url);
  return new Promise<{ status: number | undefined; headers: Record<string, string | undefined>; body: string }>(
    (resolve, reject) => {
      const sent = request({ hostname, port, method, path: `/releases${path}`, headers }, (res) => {
        const answer = { status: res.statusCode, headers: res.headers as Record<string, string | undefined> };
        void text(res).then((body) => resolve({ ...answer, body }), reject);
      });
      sent.on('error', reject).end();
    },
  );
}

test('files are served after their root has moved to another disk behind a symbolic link', async () => {
  const home = makeFolder();
  const root = join(home, 'releases');
  mkdirSync(root);
  writeFileSync(join(root, 'a.js'), 'a');
  writeFileSync(join(home, 'secret.js'), 's');
  const app = express().use(async (req, res) => {
    if (!(await sendFile(req, res, { root, name: req.path.slice(1) }))) res.sendStatus(404);
  });
  const url = await listen(app);

  renameSync(root, join(home, 'moved'));
  symlinkSync(join(home, 'moved'), root);
  symlinkSync(join(home, 'secret.js'), join(home, 'moved/b.js'));
  expect(await (await fetch(`${url}/a.js`)).text()).toBe('a');
  expect((await fetch(`${url}/b.js`)).status).toBe(404);
});

test('pages of other sites may load published files, but not edited ones', async () => {
  const folder = makeFolder();
  const bytes = '{}';
  const release = buildRelease('tools', { files: { [FEDERATION_MANIFEST]: { sha384: 'x', bytes: bytes.length } } });
  mkdirSync(join(folder, 'tools/0.1.0'), { recursive: true });
  writeFileSync(join(folder, 'tools/0.1.0', FEDERATION_MANIFEST), bytes);

  const ofSites = async (router: Router) => {
    const url = await listen(express().use(securityHeaders({ baseUrl: () => 'http://localhost' }), router));
    const { status, headers } = await fetch(`${url}/releases/tools/0.1.0/${FEDERATION_MANIFEST}`);
    return [status, headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')];
  };
  expect(
    await ofSites(
      releasesRoutes(folder, { find: () => Promise.resolve(release), snapshot: () => buildSnapshot([release]) }),
    ),
  ).toEqual([200, '*', 'cross-origin']);
  expect(await ofSites(editedRoutes(folder))).toEqual([200, null, 'same-origin']);
});
