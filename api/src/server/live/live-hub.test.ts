import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { countMeanwhile, readMetric } from '#api/test/read-metric.ts';
import { broadcastIntervalMs, openLiveHub, type LiveHub } from './live-hub.ts';

const OWN_ORIGIN = 'https://site.example';

let server: Server;
let hub: LiveHub;
let url: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = createServer();
  hub = open({ maxSockets: 3, maxSocketsPerNetwork: 2 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  hub.close();
  server.close();
  await once(server, 'close');
});

test('a page gets the count on connecting, and again when a page opens or closes', async () => {
  const first = visit();
  expect(await nextMessage(first)).toEqual({ online: 1 });

  const second = visit();
  expect(await nextMessage(second)).toEqual({ online: 2 });
  expect(await nextMessage(first)).toEqual({ online: 2 });

  second.close();
  expect(await nextMessage(first)).toEqual({ online: 1 });
});

test('a page that connects while another disconnects gets the right count', async () => {
  const first = visit();
  expect(await nextMessage(first)).toEqual({ online: 1 });
  for (const elsewhere of [5, 1]) {
    hub.countElsewhere(elsewhere);
    expect(await nextMessage(first)).toEqual({ online: elsewhere + 1 });
  }

  const second = visit();
  expect(await nextMessage(second)).toEqual({ online: 3 });
  hub.countElsewhere(0);
  expect(await nextMessage(second)).toEqual({ online: 2 });
});

test.each([
  ['0.7 seconds', 5000, 700],
  ['2 seconds where so few are told in a second', 0.5, 2000],
])(
  'a page is notified of a change after a quarter of a second, and again not before %s',
  async (_pause, toldASecond, ms) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
    server.removeAllListeners('upgrade');
    hub.close();
    hub = open({ maxSockets: 3, maxSocketsPerNetwork: 2, toldASecond });
    const page = visit();
    expect(await nextMessage(page)).toEqual({ online: 1 });
    // What is told early has a number that is wrong a moment later.
    const change = (wrong: number, right: number, ms: number) => {
      hub.countElsewhere(wrong);
      vi.advanceTimersByTime(ms - 1);
      hub.countElsewhere(right);
      vi.advanceTimersByTime(1);
    };

    vi.advanceTimersByTime(1000);
    change(50, 1, 250);
    expect(await nextMessage(page)).toEqual({ online: 2 });
    change(50, 2, ms);
    expect(await nextMessage(page)).toEqual({ online: 3 });
  },
);

test.each([
  [1, 700],
  [3500, 700],
  [10_000, 2000],
])('with %i pages open, each is notified every %i ms at most', (pages, ms) => {
  expect(broadcastIntervalMs(pages)).toBe(ms);
});

test.each([
  ['a word', (socket: WebSocket) => socket.send('hello'), 1008],
  ['a frame too large', (socket: WebSocket) => socket.send('x'.repeat(257)), 1009],
  ['a ping', (socket: WebSocket) => socket.ping(), 1008],
])('threat 31: a page that sends %s is disconnected', async (_what, send, code) => {
  const socket = visit();
  await nextMessage(socket);
  send(socket);

  expect(await closeCode(socket)).toBe(code);
});

test('threat 31: one network is limited to its share of sockets, others still connect', async () => {
  await nextMessage(visit());
  await nextMessage(visit());

  expect(await closeCode(visit('203.0.113.200'))).toBe(1013);
  expect(await nextMessage(visit('198.51.100.1'))).toEqual({ online: 3 });
  expect(hub.count()).toBe(3);
});

test('threat 31: an IPv6 /32 is limited to eight shares', async () => {
  server.removeAllListeners('upgrade');
  hub.close();
  hub = open({ maxSockets: 100, maxSocketsPerNetwork: 1 });
  const pages = Array.from({ length: 8 }, (_, nth) => visit(`2001:db8:${nth}::1`));
  await Promise.all(pages.map(nextMessage));

  expect(await closeCode(visit('2001:db8:7::2'))).toBe(1013);
  expect(await closeCode(visit('2001:db8:8::1'))).toBe(1013);
  // A page that is refused is told the count as well, and is not in it.
  expect(await nextMessage(visit('2001:db9::1'))).toEqual({ online: 9 });
  pages[0]?.close();
  await expect.poll(() => hub.count()).toBe(8);
  expect(await nextMessage(visit('2001:db8:8::1'))).toEqual({ online: 9 });
});

test('open sockets, and rejected ones by reason, are counted', async () => {
  const refused = (reason: string) => ['site_sockets_refused_total', { reason }] as const;

  const noneIsOpen = () => expect.poll(() => readMetric('site_sockets')).toBe(0);
  await noneIsOpen();

  const changes = await countMeanwhile(
    [['site_sockets'], refused('origin'), refused('network'), refused('full')],
    async () => {
      await refusal(new WebSocket(url, { origin: 'https://evil.example' }));
      await nextMessage(visit());
      await nextMessage(visit());
      await closeCode(visit());
      await nextMessage(visit('198.51.100.1'));
      await closeCode(visit('192.0.2.1'));
    },
  );

  expect(changes).toEqual([3, 1, 1, 1]);
  hub.close();
  await noneIsOpen();
});

test('threat 31: the total number of sockets is limited', async () => {
  await nextMessage(visit('198.51.100.1'));
  await nextMessage(visit('192.0.2.1'));
  await nextMessage(visit());

  const refused = visit('100.64.0.1');
  // It learns the count nevertheless.
  expect(await Promise.all([nextMessage(refused), closeCode(refused)])).toEqual([{ online: 3 }, 1013]);
});

test('a page that misses its heartbeat is disconnected', async () => {
  const mute = new WebSocket(url, { origin: OWN_ORIGIN, autoPong: false });
  const alive = visit();
  await Promise.all([nextMessage(mute), nextMessage(alive)]);

  const pinged = Promise.all([once(mute, 'ping'), once(alive, 'ping')]);
  vi.advanceTimersByTime(30_000);
  await pinged;
  hub.countElsewhere(1);
  await once(alive, 'message');
  vi.advanceTimersByTime(30_000);

  expect(await closeCode(mute)).toBe(1006);
  expect(alive.readyState).toBe(WebSocket.OPEN);
});

test('a page that does not answer the close frame does not delay the stop', async () => {
  const asleep = visit();
  await nextMessage(asleep);
  asleep.pause();
  hub.close();
  server.close();

  // Otherwise the server would wait half a minute.
  await once(server, 'close', { signal: AbortSignal.timeout(10_000) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

function open(most: { maxSockets: number; maxSocketsPerNetwork: number; toldASecond?: number }): LiveHub {
  return openLiveHub({
    server,
    isOurOrigin: (origin) => origin === OWN_ORIGIN,
    clientAddressOf: (req) => String(req.headers['x-address'] ?? '203.0.113.1'),
    ...most,
  });
}

function visit(address?: string): WebSocket {
  return new WebSocket(url, { origin: OWN_ORIGIN, ...(address && { headers: { 'x-address': address } }) });
}

async function nextMessage(socket: WebSocket): Promise<unknown> {
  const [data] = (await once(socket, 'message')) as [Buffer];
  return JSON.parse(data.toString());
}

async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number];
  return code;
}

async function refusal(socket: WebSocket): Promise<string> {
  const [error] = (await once(socket, 'error')) as [Error];
  return error.message;
}
