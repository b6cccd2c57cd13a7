import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { watchConnections } from './http-server.ts';
import { stopGracefully } from './stop-gracefully.ts';

const nothing = () => Promise.resolve();

/** Something to wait for until another lets it pass. */
function createDoor() {
  let pass = () => undefined as void;
  const open = new Promise<void>((resolve) => (pass = resolve));
  return { open, pass };
}

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  const connections = watchConnections(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const ask = async () => {
    const [res] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
    return text(res);
  };

  const stop = (changes: Partial<Parameters<typeof stopGracefully>[0]> = {}) =>
    stopGracefully({
      server,
      connections,
      drain: () => undefined,
      finishWrites: nothing,
      closeDb: nothing,
      ...changes,
    });
  return { server, connections, ask, stop };
}

test('a begun request is answered before the database closes', async () => {
  const order: string[] = [];
  const { server, ask, stop } = await listen((_req, res) => {
    setTimeout(() => {
      order.push('answered');
      res.end('done');
    }, 100);
  });

  const answer = ask();
  await once(server, 'request');
  await stop({
    drain: () => void order.push('sockets'),
    closeDb: () => {
      order.push('database');
      return Promise.resolve();
    },
  });

  expect(await answer).toBe('done');
  expect(order).toEqual(['sockets', 'answered', 'database']);
});

test.each([
  { has: 'the rest of the cap', capMs: 60_000, least: 50_000, most: 60_000 },
  { has: 'a few seconds where the cap leaves less', capMs: 100, least: 1000, most: 5000 },
])('pending writes may take $has before the database closes', async ({ capMs, least, most }) => {
  const order: string[] = [];
  const { stop } = await listen(() => undefined);
  let given = 0;

  await stop({
    finishWrites(ms) {
      given = ms;
      order.push('writes');
      return Promise.resolve();
    },
    closeDb: () => Promise.resolve(void order.push('database')),
    capMs,
  });

  expect(order).toEqual(['writes', 'database']);
  expect(given).toBeGreaterThan(least);
  expect(given).toBeLessThanOrEqual(most);
});

test('during the stop delay requests are answered with Connection: close', async () => {
  const { server, stop } = await listen((_req, res) => res.end('done'));
  const { port } = server.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const closeDb = vi.fn(() => Promise.resolve());
  const stopped = stop({ closeDb, delayMs: 5000 });

  await vi.advanceTimersByTimeAsync(4999);
  const [res] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  expect([await text(res), res.headers.connection, server.listening]).toEqual(['done', 'close', true]);
  expect(closeDb).not.toHaveBeenCalled();

  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(server.listening).toBe(false);
  expect(closeDb).toHaveBeenCalledOnce();
});

test('no new connection is accepted', async () => {
  const { ask, stop } = await listen((_req, res) => res.end('done'));
  await ask();

  await stop();

  await expect(ask()).rejects.toThrow();
});

test('a request that never ends delays the stop no longer than the limit', async () => {
  const { server, ask, stop } = await listen(() => undefined);
  const failed = ask().catch(() => 'cut');
  await once(server, 'request');
  const closeDb = vi.fn(() => Promise.resolve());

  await stop({ closeDb, capMs: 100 });

  expect(await failed).toBe('cut');
  expect(closeDb).toHaveBeenCalledOnce();
});

test.each([
  { what: 'on which nothing has been said yet', sent: '' },
  { what: 'on which half a request has been said', sent: 'GET / HTTP/1.1\r\nHost: site\r\n' },
  { what: 'that was kept alive', sent: 'GET / HTTP/1.1\r\nHost: site\r\n\r\n' },
])('a connection $what does not delay the stop', async ({ sent }) => {
  const { server, stop } = await listen((_req, res) => res.end('done'));
  const arrived = once(server, 'connection');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.write(sent);
  await arrived;
  const closed = once(client.resume(), 'close');

  await stop({ capMs: 60_000 });
  await closed;
});

test.each([
  { what: 'of which half the body has come', rest: undefined },
  { what: 'whose body goes on and on', rest: 'x' },
])('a request $what does not delay the stop, and a complete one is answered', async ({ rest }) => {
  const answered = createDoor();
  const { server, ask, stop } = await listen((req, res) => {
    if (req.method === 'GET') return void answered.open.then(() => res.end('done'));
    // Like every handler that waits for a body.
    void text(req).then(
      () => res.end('read'),
      () => answered.pass(),
    );
  });
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const begun = once(server, 'request');
  client.write('POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 100000\r\n\r\n{"half":');
  client.on('error', () => undefined);
  const dripping = rest === undefined ? undefined : setInterval(() => client.write(rest), 50);
  await begun;
  const asked = once(server, 'request');
  const answer = ask();
  await asked;

  // It is the cut of the one that has the other answered.
  await stop({ capMs: 60_000 });
  clearInterval(dripping);

  expect(await answer).toBe('done');
});

test('an upgraded connection is closed by the code that owns it, which may send a close frame', async () => {
  const { server, connections } = await listen((_req, res) => res.end('done'));
  server.on('upgrade', (_req, socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: words\r\n\r\n'),
  );
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const upgraded = once(server, 'upgrade') as Promise<[IncomingMessage, Socket]>;
  client.write('GET / HTTP/1.1\r\nHost: site\r\nConnection: Upgrade\r\nUpgrade: words\r\n\r\n');
  const [, socket] = await upgraded;
  const heard = text(client);

  connections.closeIdle();
  socket.end('goodbye');

  expect(await heard).toContain('goodbye');
  server.close();
});
