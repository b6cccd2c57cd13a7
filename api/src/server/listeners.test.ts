import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchConnections } from './http-server.ts';
import { listenReusePort, portOf } from './listen.ts';
import { stopGracefully } from './stop-gracefully.ts';

const CLIENT_COUNT = 160;

async function open(answer = (res: ServerResponse) => void res.end('done')) {
  const server = createServer((_req, res) => answer(res));
  onTestFinished(() => void server.close());
  const connections = watchConnections(server);
  const moreListeners = await listenReusePort(server, { HOST: '127.0.0.1', PORT: 0 });
  onTestFinished(() => moreListeners.forEach((listener) => void listener.close()));
  const port = portOf(server);
  const stop = () =>
    stopGracefully({
      server,
      moreListeners,
      connections,
      drain: () => undefined,
      finishWrites: () => Promise.resolve(),
      closeDb: () => Promise.resolve(),
    });
  return { server, port, stop };
}

test('several connections are accepted per turn of the event loop', async () => {
  const { server, port } = await open();
  let taken = 0;
  const crowd = Array.from({ length: CLIENT_COUNT }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => crowd.forEach((socket) => void socket.destroy()));
  let turns = 0;
  await new Promise<void>((resolve) => {
    server.on('connection', () => (taken += 1) === CLIENT_COUNT && resolve());
    const turn = () => {
      if (taken > 0) turns += 1;
      // Long enough for all of the crowd to be at the door.
      const until = performance.now() + 5;
      while (performance.now() < until);
      if (taken < CLIENT_COUNT) setImmediate(turn);
    };
    turn();
  });

  expect(turns).toBeLessThan(CLIENT_COUNT / 2);
});

test('requests are answered on any listener, and a stop rejects new connections and waits for begun requests', async () => {
  const answers: Promise<string>[] = [];
  const held: ServerResponse[] = [];
  const { server, port, stop } = await open((res) => void held.push(res));
  const ask = async () => {
    const [res] = (await once(get({ port, host: '127.0.0.1', agent: new Agent() }), 'response')) as [IncomingMessage];
    return text(res);
  };
  for (let nth = 0; nth < 20; nth++) answers.push(ask());
  await expect.poll(() => held.length).toBe(20);

  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await expect.poll(() => server.listening).toBe(false);
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(isStopped).toBe(false);
  for (const res of held) res.end('done');

  expect(await Promise.all(answers)).toEqual(Array(20).fill('done'));
  await stopped;
});

test('connections pending when a server stops are answered, not reset', async () => {
  const { port, stop } = await open();
  const atTheDoor = new Int32Array(new SharedArrayBuffer(4));
  const crowd = new Worker(
    `const { connect } = require('node:net');
    const { text } = require('node:stream/consumers');
    const { workerData: { port, size, atTheDoor }, parentPort } = require('node:worker_threads');
    const answers = Array.from({ length: size }, () => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('GET / HTTP/1.0\\r\\n\\r\\n');
        Atomics.add(atTheDoor, 0, 1);
        Atomics.notify(atTheDoor, 0);
      });
      return text(socket).then((answer) => answer.slice(-4), (error) => error.code);
    });
    void Promise.all(answers).then((all) => parentPort.postMessage(all));`,
    { eval: true, workerData: { port, size: CLIENT_COUNT, atTheDoor } },
  );
  // No connection is taken meanwhile: this thread does nothing else.
  for (let there = 0; there < CLIENT_COUNT; there = Atomics.load(atTheDoor, 0)) Atomics.wait(atTheDoor, 0, there);
  const answers = once(crowd, 'message');
  // As on a machine that takes eight of them within no time.
  vi.spyOn(performance, 'now').mockReturnValue(0);

  await stop();

  expect(await answers).toEqual([Array(CLIENT_COUNT).fill('done')]);
});

test('a port in use by another server is reported as such, even for the same user', async () => {
  const { port } = await open();

  await expect(listenReusePort(createServer(), { HOST: '127.0.0.1', PORT: port })).rejects.toThrow(
    `PORT: ${port} is taken by another program`,
  );
});

test('a server listens on the given port with all its listeners', async () => {
  const { port, stop } = await open();
  await stop();
  const server = createServer((_req, res) => void res.end('done'));

  const others = await listenReusePort(server, { HOST: '127.0.0.1', PORT: port });
  onTestFinished(() => [server, ...others].forEach((listener) => void listener.close()));

  expect(new Set([server, ...others].map((listener) => (listener.address() as AddressInfo).port))).toEqual(
    new Set([port]),
  );
  expect(others).toHaveLength(7);
});
