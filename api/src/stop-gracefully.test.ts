import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { stopGracefully } from './stop-gracefully.ts';

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const ask = async () => {
    const [res] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
    return text(res);
  };

  return { server, ask };
}

test('a request that was begun is answered, and only then the database closes', async () => {
  const order: string[] = [];
  const { server, ask } = await listen((_req, res) => {
    setTimeout(() => {
      order.push('answered');
      res.end('done');
    }, 100);
  });

  const answer = ask();
  await once(server, 'request');
  await stopGracefully({
    server,
    closers: [() => order.push('sockets')],
    closeDb: () => {
      order.push('database');
      return Promise.resolve();
    },
  });

  expect(await answer).toBe('done');
  expect(order).toEqual(['sockets', 'answered', 'database']);
});

test('no new visitor is taken', async () => {
  const { server, ask } = await listen((_req, res) => res.end('done'));
  await ask();

  await stopGracefully({ server, closers: [], closeDb: () => Promise.resolve() });

  await expect(ask()).rejects.toThrow();
});

test('a request that never ends does not hold the server for longer than the cap', async () => {
  const { server, ask } = await listen(() => undefined);
  const failed = ask().catch(() => 'cut');
  await once(server, 'request');
  const closeDb = vi.fn(() => Promise.resolve());

  await stopGracefully({ server, closers: [], closeDb, capMs: 100 });

  expect(await failed).toBe('cut');
  expect(closeDb).toHaveBeenCalledOnce();
});
