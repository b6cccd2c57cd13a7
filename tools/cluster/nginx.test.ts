import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { freePort } from '../machine/free-port.ts';
import { standBehindNginx } from './test/behind-nginx.ts';
import { startNginx } from './nginx.ts';

/** The headers of the last request that reached the server. */
let seen: IncomingHttpHeaders = {};

/** More than what the system keeps of a connection. */
const LARGE = 20_000_000;

/** What nginx had on its disk of the last body, once that had come. */
let kept = 0;

/** A server behind nginx: it takes bodies but those of strangers, sends a large answer, leads to the address that it was asked for, and takes a socket at `/`. */
const site = createServer((req, res) => {
  seen = req.headers;
  if (req.method === 'PUT') res.writeHead(401).end();
  else if (req.method === 'POST')
    req.resume().once('end', () => {
      kept = countKept('client_body');
      res.end('taken');
    });
  else if (req.url === '/large') res.end(Buffer.alloc(LARGE));
  else if (req.url === '/healthz') res.end('ok');
  else if (req.url === '/readyz') res.end('of one server');
  else res.writeHead(308, { location: req.url ?? '/', connection: 'close' }).end();
});
const sockets = new WebSocketServer({ noServer: true });
const upgrades: string[] = [];
site.on('upgrade', (req, socket, head) => {
  upgrades.push(`${req.method} ${req.url}`);
  if (req.method === 'GET' && req.url === '/')
    sockets.handleUpgrade(req, socket, head, (opened) => opened.send('hello'));
  // As a server refuses it: it reads nothing more.
  else socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n');
});

const { folder, port, pid, portOfServer, send: ask } = standBehindNginx(site, sockets);

/** How many bytes nginx has in files of a kind now. It removes their names at once. */
function countKept(kind: 'client_body' | 'proxy'): number {
  const workers = readFileSync(`/proc/${pid()}/task/${pid()}/children`, 'utf8').trim().split(' ');
  return workers
    .flatMap((pid) => readdirSync(`/proc/${pid}/fd`).map((file) => `/proc/${pid}/fd/${file}`))
    .reduce((bytes, file) => bytes + sizeOf(file, join(folder, 'nginx', kind)), 0);
}

/** The bytes of an open file below a folder; 0 for others, and for one that nginx has closed meanwhile. */
function sizeOf(file: string, within: string): number {
  try {
    return readlinkSync(file).startsWith(within) ? statSync(file).size : 0;
  } catch {
    return 0;
  }
}

test('threat 49: a redirect to the longest address is passed on, and its server stays in use', async () => {
  for (let count = 0; count < 10; count++) expect((await ask(`/v5/?x=${'a'.repeat(7900)}`)).status).toBe(308);

  expect(await ask('/healthz')).toMatchObject({ status: 200, text: 'ok' });
});

test('threat 49: an upgrade is passed on only as a GET of / without a body', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port()}/`);
  const [hello] = (await once(socket, 'message')) as [Buffer];
  expect(String(hello)).toBe('hello');
  socket.terminate();
  upgrades.length = 0;

  const body = 'x'.repeat(1_000_000);
  for (const head of [
    'POST / HTTP/1.1\r\nContent-Length: 1000000',
    'GET / HTTP/1.1\r\nContent-Length: 1000000',
    'PUT /v5 HTTP/1.1\r\nContent-Length: 1000000',
    'GET /v5 HTTP/1.1\r\nContent-Length: 0',
    // nginx would take it for `/`.
    'GET // HTTP/1.1',
  ])
    await send(`${head}\r\nHost: a.example\r\nUpgrade: websocket\r\nConnection: close\r\n\r\n${body}`);

  expect(upgrades).toEqual([]);
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: 'ok' });
});

test('threat 49: bodies over 16 KB are refused, but those of the payment provider', async () => {
  const post = async (path: string, bytes: number) => {
    const asked = request({ host: '127.0.0.1', port: port(), method: 'POST', path }).end('x'.repeat(bytes));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return [answer.resume().statusCode, kept];
  };

  // Nothing of what comes is on the disk.
  expect(await post('/api/redeem', 16_384)).toEqual([200, 0]);
  expect((await post('/api/redeem', 16_385))[0]).toBe(413);
  expect(await post('/api/payment-webhook', 1_000_000)).toEqual([200, 0]);
});

test('threat 49: an archive without a token is refused while it uploads, and is not written to the disk', async () => {
  const socket = connect({ host: '127.0.0.1', port: port() });
  onTestFinished(() => void socket.destroy());
  socket.write(`PUT /api/releases/tools/1.0.0 HTTP/1.1\r\nHost: a.example\r\nContent-Length: 60000000\r\n\r\n`);
  socket.write('x'.repeat(100_000));
  const [answer] = (await once(socket, 'data')) as [Buffer];

  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  expect(countKept('client_body')).toBe(0);
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: 'ok' });
});

test('threat 49: a large answer that is read slowly is not written to the disk', async () => {
  const asked = request({ host: '127.0.0.1', port: port(), path: '/large' }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let [bytes, most] = [0, 0];
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    // Meanwhile nginx takes what it can from the server.
    if (most === 0 && bytes < 1_000_000) await ask('/healthz');
    most = Math.max(most, countKept('proxy'));
  }

  expect([bytes, most]).toEqual([LARGE, 0]);
});

test('X-Forwarded-For and X-Request-Id of visitors do not reach a server', async () => {
  const forged = '0'.repeat(32);
  await ask('/v5', { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-request-id': forged });

  expect(seen).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
  expect(seen['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  expect(seen['x-request-id']).not.toBe(forged);
});

test('behind a CDN the address of a visitor is read from its header, if the request comes from its networks', async () => {
  const visitor = { 'cf-connecting-ip': '2001:db8::7', 'x-forwarded-for': '203.0.113.9' };
  await ask('/v5', visitor);
  expect(seen['x-forwarded-for']).toBe('127.0.0.1');

  for (const { networks, believed } of [
    { networks: [], believed: '127.0.0.1' },
    { networks: ['127.0.0.1'], believed: '2001:db8::7' },
  ]) {
    const own = await freePort();
    const proxy = await startNginx(mkdtempSync(join(folder, 'cdn-')), own, [portOfServer()], { cdn: { networks } });
    onTestFinished(() => proxy.stop());
    await ask('/v5', visitor, { at: own });
    expect(seen['x-forwarded-for']).toBe(believed);
  }
});

test.each(['/readyz', '/readyz/', '/READYZ', '/x/../readyz//'])('%s is answered 404', async (path) => {
  expect((await ask(path)).status).toBe(404);
});

/** Sends bytes, and waits for the end of the connection. */
async function send(bytes: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: port() });
  socket.on('error', () => undefined).resume();
  socket.end(bytes);
  await once(socket, 'close');
}
