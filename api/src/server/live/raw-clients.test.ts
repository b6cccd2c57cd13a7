import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHttpServer } from '#api/server/http-server.ts';
import { openLiveHub, type LiveHub } from './live-hub.ts';

/** The clients here are no browsers: they speak TCP and may stop reading at any time. */
const OWN_ORIGIN = 'https://site.example';

const PING_FRAME = Buffer.from([0x89, 0x80, 1, 2, 3, 4]);
const PONG_FRAME = Buffer.from([0x8a, 0x80, 1, 2, 3, 4]);

let server: Server;
let hub: LiveHub;
let uncaught: unknown[];
let ends: Socket[];
const note = (error: unknown) => void uncaught.push(error);

beforeEach(async () => {
  uncaught = [];
  ends = [];
  process.on('uncaughtException', note);
  server = createHttpServer().on('request', (req, res) => {
    void text(req).then((body) => res.end(`page ${body}`));
  });
  hub = openLiveHub({
    server,
    isOurOrigin: (origin) => origin === OWN_ORIGIN,
    clientAddressOf: () => '203.0.113.1',
    maxSockets: 3,
    maxSocketsPerNetwork: 3,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  process.off('uncaughtException', note);
  hub.close();
  for (const socket of ends) socket.destroy();
  server.close();
  await once(server, 'close');
});

const REJECTED_UPGRADES = [
  { what: 'of another site', request: upgrade({ origin: 'https://evil.example' }) },
  { what: 'of no site', request: upgrade({ origin: undefined }) },
  { what: 'with a path', request: upgrade({ path: '/chat' }) },
  { what: 'with a broken key', request: upgrade({ key: 'short' }) },
  {
    what: 'behind a request that is still answered',
    request: `GET / HTTP/1.1\r\nHost: site\r\n\r\n${upgrade({ path: '/chat' })}`,
  },
];

test.each(REJECTED_UPGRADES)(
  'an upgrade $what is rejected on a connection that the client resets, and the server keeps running',
  async ({ request }) => {
    const { client, atServer } = await dial();
    server.prependOnceListener('upgrade', () => client.resetAndDestroy());
    client.write(request);
    await gone(atServer);

    expect(uncaught).toEqual([]);
    await visit();
  },
);

test.each(REJECTED_UPGRADES)(
  'an upgrade $what is rejected and its connection closed, whether or not the client closes its half',
  async ({ request }) => {
    const { client, atServer } = await dial();
    client.write(request);
    await gone(atServer);

    expect(await text(client)).toMatch(/HTTP\/1\.1 40[03] /);
  },
);

test.each(REJECTED_UPGRADES)(
  'an upgrade $what is rejected for a client that closes without reading',
  async ({ request }) => {
    const { client, atServer } = await dial();
    client.pause();
    client.end(request);
    await gone(atServer);

    expect(uncaught).toEqual([]);
  },
);

test.each(['h2c', 'TLS/1.0', 'h2c, websocket'])(
  'an upgrade offer of %s is ignored, and the request answered as usual',
  async (protocol) => {
    const { client } = await dial();
    const offer = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAEAAEAA`;
    client.write(`POST /api/key HTTP/1.1\r\nHost: site\r\n${offer}\r\nContent-Length: 4\r\n\r\nbody`);
    expect(await heard(client, 'page body')).toMatch(/^HTTP\/1\.1 200 /);

    // The connection is kept for the next request.
    client.write(`GET / HTTP/1.1\r\nHost: site\r\n${offer}\r\n\r\n`);
    expect(await heard(client, 'page')).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test('an upgrade during a stop is rejected, and does not delay the stop', async () => {
  const { client, atServer } = await dial();
  client.write('GET / HTTP/1.1\r\nHost: site\r\n\r\n');
  await once(client, 'data');
  hub.close();
  client.write(upgrade({}));
  await gone(atServer);

  expect(uncaught).toEqual([]);
});

test('a visitor’s connection reset removes its socket, and the server keeps running', async () => {
  const { client, atServer } = await visit();
  client.resetAndDestroy();
  await gone(atServer);

  expect(uncaught).toEqual([]);
});

test.each([
  { what: 'pings', frame: PING_FRAME },
  { what: 'answers heartbeats that there were not', frame: PONG_FRAME },
])('a client that $what and never reads is disconnected, and nothing queues up for it', async ({ frame }) => {
  const { client, atServer } = await visit();
  const ends = vi.spyOn(atServer, 'destroySoon');
  client.pause();
  const flood = Buffer.concat(Array<Buffer>(10_000).fill(frame));
  const send = () => client.write(flood, (error) => void (error ?? setImmediate(send)));
  send();
  await Promise.all([gone(client), gone(atServer)]);

  expect(atServer.bytesWritten).toBeLessThan(1000);
  // Each call would leave a listener at the socket. The library ends the socket by itself once more.
  expect(ends.mock.calls.length).toBeLessThan(5);
});

test('a client that does not read is disconnected at the next message', async () => {
  const stuck = await visit();
  // Behaves like a connection whose client never reads, once its buffers are full.
  stuck.atServer.cork();
  const other = await visit();
  await expect.poll(() => stuck.atServer.writableLength).toBeGreaterThan(0);
  await visit();
  await gone(stuck.atServer);

  expect(other.atServer.destroyed).toBe(false);
});

test('threat 31: sockets beyond the limit are closed at once, and not counted', async () => {
  const [leaving, staying] = [await visit(), await visit()];
  const isFull = heard(staying.client, '{"online":3}');
  await visit();
  await isFull;
  const refused: Ends[] = [];
  for (let more = 0; more < 20; more++) refused.push(await dial());
  for (const { client } of refused) client.write(upgrade({}));
  await Promise.all(refused.map(({ atServer }) => gone(atServer)));
  const told = heard(staying.client, '{"online":2}');
  leaving.client.destroy();

  expect(await told).not.toMatch(/"online":(?![23]})/);
});

interface Upgrade {
  path?: string;
  origin?: string | undefined;
  key?: string;
}

function upgrade(changes: Upgrade): string {
  const { path, origin, key } = {
    path: '/',
    origin: OWN_ORIGIN,
    key: 'dGhlIHNhbXBsZSBub25jZQ==',
    ...changes,
  };
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: site',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
  ];
  return [...lines, ...(origin === undefined ? [] : [`Origin: ${origin}`]), '', ''].join('\r\n');
}

/** The two ends of a connection. */
interface Ends {
  client: Socket;
  atServer: Socket;
}

/** Opens a connection whose client never closes its own direction. */
async function dial(): Promise<Ends> {
  const { port } = server.address() as AddressInfo;
  const arrived = once(server, 'connection') as Promise<[Socket]>;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined);
  const [atServer] = await arrived;
  ends.push(client, atServer);
  return { client, atServer };
}

/** Connects as a page of the site, and waits for the first count. */
async function visit(): Promise<Ends> {
  const both = await dial();
  both.client.write(upgrade({}));
  await heard(both.client, 'online');
  return both;
}

/** Reads what a client receives until a word comes. */
async function heard(client: Socket, word: string): Promise<string> {
  let all = '';
  while (!all.includes(word)) all += String((await once(client, 'data'))[0]);
  return all;
}

/** Waits for the close without a listener for errors, which `once` would add. */
function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    socket.on('close', () => resolve());
  });
}
