import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer, watchConnections } from './http-server.ts';
import { stopGracefully } from './stop-gracefully.ts';

/** Longer than a proxy needs for a request; the stop does not wait for it when all connections are gone. */
const IDLE_MS = 10_000;

async function open() {
  const server = createHttpServer();
  const connections = watchConnections(server);
  server.on('request', (req, res) => void req.resume().on('end', () => res.end('done')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => proxy.destroy());

  const post = async (agent: Agent | false = proxy) => {
    const asked = request({ port, host: '127.0.0.1', method: 'POST', agent }).end('body');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { text: await text(answer), connection: answer.headers.connection, isReused: asked.reusedSocket };
  };
  const stop = (idleMs: number) =>
    stopGracefully({
      server,
      connections,
      drain: () => undefined,
      finishWrites: () => Promise.resolve(),
      closeDb: () => Promise.resolve(),
      idleMs,
    });
  return { server, post, stop };
}

test('a request on a proxy’s kept-alive connection is answered during the stop, and closes the connection', async () => {
  const { server, post, stop } = await open();
  await post();

  const stopped = stop(IDLE_MS);
  await expect.poll(() => server.listening).toBe(false);

  expect(await post()).toEqual({ text: 'done', connection: 'close', isReused: true });
  await stopped;
});

test('a new connection during the stop is refused at once, so that a proxy tries another server', async () => {
  const { server, post, stop } = await open();
  await post();

  const stopped = stop(IDLE_MS);
  await expect.poll(() => server.listening).toBe(false);

  await expect(post(false)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await post();
  await stopped;
});

test('a request on a connection opened just before the listener closes is answered', async () => {
  const { server, post, stop } = await open();
  const late: Promise<unknown>[] = [];
  server.once('request', () => late.push(stop(IDLE_MS), post(false)));

  await post();
  await expect.poll(() => server.listening).toBe(false);
  await post();

  expect((await Promise.all(late))[1]).toMatchObject({ text: 'done' });
});
