import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EditedUnit } from './edited-unit.ts';
import { buildRelease, CODE, HTML, RESOLUTION } from './sample-site.ts';
import { serveEdited } from './serve-edited.ts';
import { openSite, type Site } from './site.ts';

const FILE = { sha384: 'own', bytes: CODE.length };
const OWN = '/releases/news/0.1.0-dev.working-copy';

/** The site: the addresses that it was asked for, and what it answers. */
let asked: (string | undefined)[];
let respond: RequestListener;
let upstream: Server;
let site: Site;
let edited: EditedUnit;
let server: Server;

beforeEach(async () => {
  asked = [];
  respond = (_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
  upstream = createServer((req, res) => {
    asked.push(req.url);
    respond(req, res);
  });
  await listen(upstream);
  const folder = mkdtempSync(join(tmpdir(), 'edited-'));
  writeFileSync(join(folder, 'entry.js'), CODE);
  edited = { unit: 'news', version: '0.1.0-dev.working-copy', folder, release: buildRelease() };
  site = openSite(originOf(upstream), () => originOf(server));
  ({ server } = serveEdited({ site, edited, resolution: RESOLUTION, context: 'remotes/news', say: () => undefined }));
  await listen(server);
});

afterEach(() => {
  for (const open of [server, upstream]) open.close().closeAllConnections();
  site.close();
  rmSync(edited.folder, { recursive: true });
});

test('a name of a foreign page that leads to this machine gets neither the working copy nor the site', async () => {
  for (const path of ['/', '/news', `${OWN}/entry.js`, '/dev/edited-unit/events', '/api/x'])
    expect(await statusOf(path, { host: 'evil.example:8080' }), path).toBe(403);
  expect(await statusOf('/news', { host: 'localhost:8080' })).toBe(200);
  expect(asked).toHaveLength(1);

  const [name, port] = new URL(originOf(server)).host.split(':');
  const socket = connect(Number(port), name).resume();
  socket.write('GET /live HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  await once(socket, 'close');
});

test('a page of another origin cannot run the working copy', async () => {
  for (const from of ['cross-site', 'same-site'])
    for (const path of [
      `${OWN}/entry.js`,
      '/dev/edited-unit/client.js',
      '/dev/edited-unit/events',
      '/dev/edited-unit/errors',
    ])
      expect(await statusOf(path, { 'sec-fetch-site': from }), path).toBe(403);

  expect(await statusOf(`${OWN}/entry.js`, { 'sec-fetch-site': 'same-origin' })).toBe(200);
});

test('a page of the site itself may load the newest build and hear of the next, and no other origin may', async () => {
  const mine = '/releases/news/page.0123abcd.js';
  edited.release = { ...buildRelease(), files: { ...buildRelease().files, [mine.split('/').at(-1) ?? '']: FILE } };
  writeFileSync(join(edited.folder, 'page.0123abcd.js'), CODE);

  for (const path of ['/releases/news/remoteEntry.js', mine, '/dev/edited-unit/events'])
    for (const [origin, status] of [
      [originOf(upstream), 200],
      ['https://evil.example', 403],
      ['null', 403],
      [`${originOf(upstream)}.evil.example`, 403],
    ] as const) {
      const answer = await ask(path, { origin, 'sec-fetch-site': 'cross-site' });
      expect(answer.status, `${path} for ${origin}`).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBe(status === 200 ? origin : undefined);
      if (status === 200) expect(answer.headers['vary']).toBe('origin');
    }
  expect(asked).toEqual([]);
});

test('a picture comes to every page, because browsers do not say for which it is; no code does so', async () => {
  edited.release = { ...buildRelease(), files: { ...buildRelease().files, 'a.0123abcd.svg': FILE } };
  writeFileSync(join(edited.folder, 'a.0123abcd.svg'), '<svg/>');

  expect(await statusOf('/releases/news/a.0123abcd.svg', { 'sec-fetch-site': 'cross-site' })).toBe(200);
  expect(await statusOf('/releases/news/remoteEntry.js', { 'sec-fetch-site': 'cross-site' })).toBe(403);
});

test('before the first build that works there is no entry, and the site is not asked for one', async () => {
  edited.release = undefined;

  expect(await statusOf('/releases/news/remoteEntry.js', { origin: originOf(upstream) })).toBe(404);
  expect(asked).toEqual([]);
});

test('a file with the name of a member of every object is no file of the build', async () => {
  expect(await statusOf(`${OWN}/constructor`, {})).toBe(404);
});

test('a socket that is reset before the site has answered ends nothing', async () => {
  const upgrading = once(upstream, 'upgrade') as Promise<[IncomingMessage, Socket]>;
  const { hostname, port } = new URL(originOf(server));
  const socket = connect(Number(port), hostname);
  socket.write('GET /live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  const [, atSite] = await upgrading;
  atSite.on('error', () => undefined).resume();
  socket.resetAndDestroy();
  await once(atSite, 'end');
  atSite.destroy();

  expect((await fetch(`${originOf(server)}/news`)).status).toBe(200);
});

test('only addresses of the site lead back here', async () => {
  const elsewhere = `${originOf(upstream)}.other.example/after`;
  respond = (_req, res) => res.writeHead(303, { location: elsewhere }).end();

  const response = await fetch(`${originOf(server)}/news`, { redirect: 'manual' });
  expect(response.headers.get('location')).toBe(elsewhere);
});

async function statusOf(path: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  return (await ask(path, headers)).status;
}

/** Asks with any headers; `fetch` does not allow another host. */
function ask(path: string, headers: OutgoingHttpHeaders): Promise<{ status?: number; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    request(originOf(server), { path, headers }, (res) => {
      resolve({ ...(res.statusCode && { status: res.statusCode }), headers: res.headers });
      res.destroy();
    })
      .on('error', reject)
      .end();
  });
}

async function listen(server: Server): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
