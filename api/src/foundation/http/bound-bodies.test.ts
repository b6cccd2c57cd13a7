import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import express, { type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import { boundBodies } from './rate-limit.ts';

/** A server that has room for 3000 bytes of bodies that come in. */
async function open(ahead: RequestHandler = (_req, _res, next) => next()) {
  const app = express();
  app.post('/', ahead, boundBodies(3000), express.raw({ type: () => true, limit: 5000 }), (_req, res) => {
    res.sendStatus(204);
  });
  const url = new URL(await listen(app));
  return {
    url,
    /** The status of an answer; 0 when the connection was cut. */
    send: async (body: string) =>
      fetch(url, { method: 'POST', body }).then(
        ({ status }) => status,
        () => 0,
      ),
  };
}

/** Begins a body of some bytes, sends a part of it, and waits until the server reads it. */
async function begin({ port, hostname, host, pathname }: URL, bytes: number, part: string): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: ${String(bytes)}`;
  socket.on('error', () => undefined).write(`${head}\r\n\r\n`);
  await once(socket, 'data');
  socket.write(part);
  return socket;
}

test('what has come of bodies keeps its room until they are there or gone; what is promised takes none', async () => {
  const { url, send } = await open();
  const promised = await Promise.all([1, 2, 3, 4, 5].map(() => begin(url, 5000, '')));
  expect(await send('x'.repeat(100))).toBe(204);

  const slow = await begin(url, 5000, 'y'.repeat(3000));
  await expect.poll(() => send('x')).toBe(503);
  slow.destroy();
  await expect.poll(() => send('x'.repeat(2000))).toBe(204);
  for (const socket of promised) socket.destroy();
});

test('a body that takes more than there is room for is cut, and the next one is taken', async () => {
  const { send } = await open();

  expect(await send('x'.repeat(3001))).toBe(0);
  await expect.poll(() => send('x'.repeat(3000))).toBe(204);
});

test('one whose client has gone before it is read gives its room back', async () => {
  const gone: Promise<unknown>[] = [];
  const { url, send } = await open(async (req, _res, next) => {
    if (req.headers['expect']) {
      gone.push(new Promise((resolve) => req.once('close', resolve)));
      await gone[0];
    }
    next();
  });
  const socket = await begin(url, 3000, 'x'.repeat(2000));
  await expect.poll(() => gone.length).toBe(1);
  socket.destroy();
  await gone[0];

  await expect.poll(() => send('x'.repeat(3000))).toBe(204);
});

test('messages of a payment provider that come slowly keep another out only once they have brought 32 MB', async () => {
  const api = await createTestApi();
  const url = new URL('/api/payment-webhook', api.origin);
  const send = () =>
    api.post(url.pathname, { text: 'x'.repeat(100) }).then(
      ({ status }) => status,
      () => 0,
    );
  const begun = await Promise.all(Array.from({ length: 32 }, () => begin(url, 1024 ** 2, 'x')));
  expect(await send()).toBe(400);

  for (const socket of begun) socket.write('x'.repeat(1024 ** 2 - 2));
  await expect.poll(send).toBe(0);
  for (const socket of begun) socket.destroy();
  await expect.poll(send).toBe(400);
});
