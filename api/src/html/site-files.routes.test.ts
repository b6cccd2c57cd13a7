import { readdirSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/build-release.ts';
import { siteFilesRoutes } from './site-files.routes.ts';

const PICTURES = resolve(import.meta.dirname, '../../pictures');
const LARGEST_BYTES = 60 * 1024;

const SNAPSHOT = buildSnapshot([
  buildRelease('shell', { routes: [buildRoute('/qa/design', { canonical: null })] }),
  buildRelease('marketing', {
    routes: [buildRoute('/'), buildRoute('/index', { canonical: '/' }), buildRoute('/neo')],
  }),
  buildRelease('companion'),
  buildRelease('key-system'),
  buildRelease('tools', { routes: [buildRoute('/encrypter')] }),
]);

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(
    express().use(
      siteFilesRoutes(
        PICTURES,
        () => SNAPSHOT,
        () => 'https://site.example',
      ),
    ),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

test.each([
  ['/robots.txt', 'text/plain', 'Sitemap: https://site.example/sitemap.xml'],
  ['/sitemap.xml', 'application/xml', '<loc>https://site.example/neo</loc>'],
  ['/manifest.webmanifest', 'application/manifest+json', '"short_name":"Arceus X"'],
])('%s says what it is for', async (path, type, text) => {
  const response = await fetch(url + path);

  expect(response.headers.get('content-type')).toContain(type);
  expect(await response.text()).toContain(text);
});

test('the sitemap names each page that is to be listed, once', async () => {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();

  const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  expect(listed).toEqual(['https://site.example/', 'https://site.example/neo', 'https://site.example/encrypter']);
});

test('every icon and shared picture that the pages name is there', async () => {
  const names = ['v5', 'neo', 'v3', 'plans', 'companion', 'key-system', 'tools'].map((name) => `/share/${name}.jpg`);
  for (const path of [
    ...names,
    '/icon.svg',
    '/icon-192.png',
    '/icon-512.png',
    '/apple-touch-icon.png',
    '/favicon.ico',
  ]) {
    expect((await fetch(url + path)).status, path).toBe(200);
  }
});

test('no picture weighs more than 60 KB', () => {
  for (const name of readdirSync(PICTURES, { recursive: true, encoding: 'utf8' })) {
    const file = statSync(join(PICTURES, name));
    if (file.isFile()) expect(file.size, name).toBeLessThanOrEqual(LARGEST_BYTES);
  }
});
