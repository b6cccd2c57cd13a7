import { createServer, request, type Server } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildRelease } from '#api/test/build-release.ts';
import { handleError } from '#api/http/handle-error.ts';
import { releasesRoutes } from './releases.routes.ts';

const CODE = 'export const answer = 42;';

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'releases-'));
  mkdirSync(join(folder, 'tools/0.1.0'), { recursive: true });
  writeFileSync(join(folder, 'tools/0.1.0/a.js'), CODE);
  for (const name of [
    'api/main.js',
    'tools/.inputs',
    'tools/0.1.0/a.js.map',
    'tools/0.1.0/unlisted.js',
    'tools/0.1.0/b.js.map',
    'release.json',
  ]) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), CODE);
  }
  writeFileSync(
    join(folder, 'tools/0.1.0/release.json'),
    JSON.stringify(buildRelease('tools', { files: listing('a.js', 'b.js', 'b.js.map') })),
  );
  writeFileSync(join(folder, 'tools/0.1.0/a.js.br'), brotliCompressSync(CODE));
  server = createServer(
    express().use(
      releasesRoutes(folder),
      handleError(() => undefined),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('a file comes as the build compressed it, and may be kept for a year', async () => {
  const response = await fetch(`${url}/tools/0.1.0/a.js`, { headers: { 'accept-encoding': 'br' } });

  expect(response.headers.get('content-encoding')).toBe('br');
  expect(response.headers.get('content-type')).toContain('text/javascript');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await response.text()).toBe(CODE);
});

test('a file that is edited keeps its name, so it is asked for again', async () => {
  const edited = createServer(express().use(releasesRoutes(folder, { areEdited: true })));
  await new Promise<void>((resolve) => edited.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void edited.close());

  const response = await fetch(`http://127.0.0.1:${(edited.address() as AddressInfo).port}/releases/tools/0.1.0/a.js`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=0');
});

test('who accepts no compression gets the plain file', async () => {
  const response = await fetch(`${url}/tools/0.1.0/a.js`, { headers: { 'accept-encoding': 'identity' } });

  expect(response.headers.get('content-encoding')).toBeNull();
  expect(await response.text()).toBe(CODE);
});

test.each([
  '/api/main.js',
  '/tools/.inputs',
  '/tools/0.1.0/release.json',
  '/tools/0.1.0/a.js.br',
  '/tools/0.1.0/a.js.map',
  '/tools/0.1.0/b.js.map',
  '/tools/0.1.0/unlisted.js',
  '/tools/0.1.0/..%2f..%2fapi/main.js',
  '/tools/0.1.0/%2e%2e/%2e%2e/api/main.js',
  '/tools/../api/main.js',
  '//api/main.js',
  '/%61pi/main.js',
  '/tools%2f0.1.0%2fa.js',
])('%s, which no release lists for visitors, is a 404', async (path) => {
  const response = await get(path);

  expect(response.status).toBe(404);
  expect(response.text).not.toContain(CODE);
});

test('a release that is built anew while the server runs is served as it is now', async () => {
  const release = join(folder, 'tools/0.1.0/release.json');
  writeFileSync(join(folder, 'tools/0.1.0/c.js'), CODE);
  expect((await get('/tools/0.1.0/c.js')).status).toBe(404);

  writeFileSync(release, JSON.stringify(buildRelease('tools', { files: listing('a.js', 'c.js') })));
  utimesSync(release, new Date(), new Date(Date.now() + 5000));

  expect((await get('/tools/0.1.0/c.js')).status).toBe(200);
});

test.each(['/tools/0.1.0/b.js', '/tools/0.1.0/', '/tools/0.1.0', '/..%2f..%2fetc/passwd', '/'])(
  '%s is a 404 as a problem',
  async (path) => {
    const response = await fetch(url + path, { redirect: 'manual' });

    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  },
);

function listing(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, { sha384: '', bytes: CODE.length }]));
}

/** Requests a path exactly as it is written; `fetch` would normalise it. */
async function get(path: string): Promise<{ status: number | undefined; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path: `/releases${path}` },
      (res) => void text(res).then((body) => resolve({ status: res.statusCode, text: body }), reject),
    );
    sent.on('error', reject).end();
  });
}
