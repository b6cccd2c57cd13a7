import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import { boundBodies } from './bound-bodies.ts';

/** A server that takes bodies of 1000 bytes, and has room for three of them. */
async function open() {
  const bodies: number[] = [];
  const app = express();
  app.post('/', boundBodies(1000, 3000), express.raw({ type: () => true, limit: 1000 }), (req, res) => {
    bodies.push((req.body as Buffer).length);
    res.sendStatus(204);
  });
  const url = new URL(await listen(app));
  const send = async (body: string) => (await fetch(url, { method: 'POST', body })).status;

  return { bodies, send, begin: (head: string) => begin(url, head) };
}

/** Begins a body and does not end it. Returns when the server has read the head. */
async function begin({ port, hostname, host, pathname }: URL, head: string): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\n${head}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

test('bodies that are under way keep their room, until they are there or gone', async () => {
  const { send, begin, bodies } = await open();
  const slow = await Promise.all([1, 2, 3].map(() => begin('Content-Length: 1000')));
  expect(await send('x')).toBe(503);

  slow[0]?.end('y'.repeat(1000));
  await expect.poll(() => send('x'.repeat(1000))).toBe(204);
  slow[1]?.destroy();
  slow[2]?.destroy();
  await expect.poll(() => Promise.all([1, 2, 3].map(() => send('x'.repeat(1000))))).toEqual([204, 204, 204]);
  expect(bodies).toContain(1000);
});

test('a body that does not say its length counts as the largest', async () => {
  const { send, begin } = await open();
  for (let count = 0; count < 3; count++) await begin('Transfer-Encoding: chunked');

  expect(await send('x')).toBe(503);
});

test('one that is longer than the limit is refused for that, and takes no room', async () => {
  const { send } = await open();

  expect(await send('x'.repeat(1001))).toBe(413);
  expect(await send('x'.repeat(1000))).toBe(204);
});

test('messages of a payment provider take no more room than 32 of the largest, signed or not', async () => {
  const api = await createTestApi();
  const url = new URL('/api/payment-webhook', api.origin);
  const begun = await Promise.all(Array.from({ length: 32 }, () => begin(url, `Content-Length: ${String(1024 ** 2)}`)));

  expect((await api.post(url.pathname, {})).status).toBe(503);
  for (const socket of begun) socket.destroy();
  await expect.poll(async () => (await api.post(url.pathname, {})).status).not.toBe(503);
});
