import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { AppError } from './app-error.ts';
import { handleError } from './handle-error.ts';
import { rawBody } from './raw-body.ts';

const DEFAULT_OPTIONS = { limit: 10_000, room: 20_000, timeoutMs: 10_000 };

/** A server that answers with the length of the body. */
async function openServer(room = DEFAULT_OPTIONS) {
  const app = express()
    .post('/', rawBody(room), (req, res) => void res.send(`read ${String((req.body as Buffer).length)}`))
    .use(handleError(() => undefined));
  const { port, hostname } = new URL(await listen(app));

  return async (headers: string, body: string) => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`POST / HTTP/1.1\r\nHost: a.example\r\n${headers}\r\n\r\n${body}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return String(answer);
  };
}

test('a raw body is passed on unchanged, whatever its declared type', async () => {
  const send = await openServer();
  const type = 'Content-Type: application/json\r\nContent-Encoding: gzip';

  expect(await send(`${type}\r\nContent-Length: 7`, '{"a": 1')).toMatch(/read 7$/);
  expect(await send('Content-Length: 0', '')).toMatch(/read 0$/);
});

test('a body that arrives too slowly is answered with an error', async () => {
  const send = await openServer({ ...DEFAULT_OPTIONS, timeoutMs: 10 });

  expect(await send('Content-Length: 5', 'four')).toContain('The body came too slowly.');
});

test('an aborted body is not passed on', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  const app = express().post('/', (req, res) => rawBody(DEFAULT_OPTIONS)(req, res, end));
  const { port, hostname } = new URL(await listen(app));
  const socket = connect(Number(port), hostname);

  socket.write('POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 8\r\n\r\nhalf', () => void socket.destroy());

  expect(await ended).toBeInstanceOf(AppError);
});

test('each chunk of a body counts with its memory overhead', async () => {
  const send = await openServer();
  const parts = (count: number) => `${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`;

  expect(await send('Content-Length: 1000', 'x'.repeat(1000))).toMatch(/read 1000$/);
  expect(await send('Transfer-Encoding: chunked', parts(30))).toMatch(/read 30$/);
  expect(await send('Transfer-Encoding: chunked', parts(1000))).toContain('The body is too large.');
});
