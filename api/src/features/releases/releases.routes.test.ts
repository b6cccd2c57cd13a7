import { createServer, type Server } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
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
  writeFileSync(join(folder, 'tools/0.1.0/a.js.br'), brotliCompressSync(CODE));
  server = createServer(express().use(releasesRoutes(folder), handleError(() => undefined)));
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

test.each(['/tools/0.1.0/b.js', '/tools/0.1.0/', '/tools/0.1.0', '/..%2f..%2fetc/passwd', '/'])('%s is a 404 as a problem', async (path) => {
  const response = await fetch(url + path, { redirect: 'manual' });

  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
});
