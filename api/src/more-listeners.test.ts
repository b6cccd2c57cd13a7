import { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchConnections } from './http/http-server.ts';
import { openMoreListeners } from './more-listeners.ts';
import { stopGracefully } from './stop-gracefully.ts';

const CROWD = 160;

async function open(answer = (res: ServerResponse) => void res.end('done')) {
  const server = createServer((_req, res) => answer(res));
  onTestFinished(() => void server.close());
  const connections = watchConnections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const more = openMoreListeners(server);
  await more.opened;
  const stop = () =>
    stopGracefully({
      server,
      moreListeners: more,
      connections,
      closers: [],
      finishWrites: () => Promise.resolve(),
      closeDb: () => Promise.resolve(),
    });
  return { server, port, stop };
}

test('a crowd is taken several in a turn of the event loop, and not one', async () => {
  const { server, port } = await open();
  let taken = 0;
  const crowd = Array.from({ length: CROWD }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => crowd.forEach((socket) => void socket.destroy()));
  let turns = 0;
  await new Promise<void>((resolve) => {
    server.on('connection', () => (taken += 1) === CROWD && resolve());
    const turn = () => {
      if (taken > 0) turns += 1;
      // Long enough for all of the crowd to be at the door.
      const until = performance.now() + 5;
      while (performance.now() < until);
      if (taken < CROWD) setImmediate(turn);
    };
    turn();
  });

  expect(turns).toBeLessThan(CROWD / 2);
});

test('requests are answered whoever has taken their connection, and a stop refuses new ones and waits for begun ones', async () => {
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

test('a crowd that is at the door of a server that stops is answered, and nobody is cut off', async () => {
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
    { eval: true, workerData: { port, size: CROWD, atTheDoor } },
  );
  // Nobody is taken meanwhile: this thread does nothing else.
  for (let there = 0; there < CROWD; there = Atomics.load(atTheDoor, 0)) Atomics.wait(atTheDoor, 0, there);
  const answers = once(crowd, 'message');
  // As on a machine that takes eight of them within no time.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());

  await stop();

  expect(await answers).toEqual([Array(CROWD).fill('done')]);
});

test('a server that stops before its other listeners are there takes nothing with those that come later', async () => {
  // Their handles are on their way, so the end of the helper comes too late.
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValueOnce(true);
  onTestFinished(() => kill.mockRestore());
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const more = openMoreListeners(server);
  await more.close();
  await more.opened;
  await once(server.close(), 'close');

  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [Error];
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('a helper that hangs does not hold the port of a server that has stopped', async () => {
  const start = vi.spyOn(ChildProcess.prototype as unknown as { spawn: () => void }, 'spawn');
  onTestFinished(() => start.mockRestore());
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const more = openMoreListeners(server);
  const [helper] = start.mock.contexts as [ChildProcess];
  onTestFinished(() => void helper.kill('SIGKILL'));
  helper.kill('SIGSTOP');
  await vi.waitUntil(() => readFileSync(`/proc/${helper.pid}/stat`, 'utf8').includes(') T '));

  await more.close();
  await more.opened;
  await once(server.close(), 'close');

  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [Error];
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('a server that cannot start the helper goes on with its own listener', async () => {
  const { execPath } = process;
  process.execPath = '/nowhere/node';
  onTestFinished(() => void (process.execPath = execPath));

  const { port } = await open();

  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('done');
});

test.each([
  // As where no process may be started.
  () => {
    throw new Error('spawn EPERM');
  },
  // As without a free descriptor: Node then gives the process no channel.
  function fail(this: ChildProcess) {
    process.nextTick(() => this.emit('error', new Error('spawn EMFILE')));
  },
])('a server that the system gives no helper goes on with its own listener, and stops', async (spawn) => {
  const start = vi.spyOn(ChildProcess.prototype as unknown as { spawn: () => void }, 'spawn').mockImplementation(spawn);
  onTestFinished(() => start.mockRestore());

  const { port, stop } = await open();

  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('done');
  await stop();
});
