import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serializePipelined, createHttpServer, watchConnections } from './http-server.ts';

const SHORT_TIMEOUTS = { headersMs: 100, requestMs: 200, checkMs: 20 };

const REQUEST_TEXT = 'GET / HTTP/1.1\r\nHost: site\r\n\r\n';

async function dial(
  timeouts = {},
  answer: RequestListener = (req, res) => void req.resume().on('end', () => res.end('done')),
): Promise<Socket> {
  const server = createHttpServer(timeouts);
  watchConnections(server);
  server.on('request', serializePipelined(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
}

test.each([
  { what: 'says nothing', sent: '' },
  { what: 'never ends its headers', sent: 'GET / HTTP/1.1\r\nHost: site\r\n' },
  { what: 'never ends its body', sent: 'POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 10\r\n\r\nhello' },
])('a client that $what gets an error response and is disconnected', async ({ sent }) => {
  const client = await dial(SHORT_TIMEOUTS);
  client.write(sent);

  expect(await text(client)).toContain('408 Request Timeout');
});

test.each([
  {
    what: 'speaks another protocol',
    sent: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    answer: '400 Bad Request',
  },
  {
    what: 'sends headers without end',
    sent: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    answer: '431 Request Header Fields Too Large',
  },
  {
    what: 'says two lengths of one body',
    sent: 'POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    answer: '400 Bad Request',
  },
])('a client that $what is rejected', async ({ sent, answer }) => {
  const client = await dial();
  client.write(sent);

  expect(await text(client)).toContain(answer);
});

test('after the disconnect of a client that sent many requests and read nothing, no response stays open', async () => {
  const asked = vi.fn();
  const ends: Promise<unknown>[] = [];
  const client = await dial({}, (_req, res) => {
    ends.push(once(res, 'close'));
    asked();
    // More than the buffers between client and server can hold.
    res.write(Buffer.alloc(20_000_000));
  });
  client.pause();
  client.write(REQUEST_TEXT.repeat(50));
  await expect.poll(() => asked).toHaveBeenCalled();
  client.resetAndDestroy();

  await Promise.all(ends);
});

test('clients that do not read are disconnected, a few per turn', async () => {
  const CLIENTS = 300;
  // More than the buffers between client and server can hold.
  const answer = Buffer.alloc(20_000_000);
  const server = createHttpServer({ silentMs: 1000 });
  onTestFinished(() => void server.close());
  let [inThisTurn, mostInATurn, closed] = [0, 0, 0];
  const all = new Promise<void>((resolve) =>
    server.on('connection', (socket) =>
      socket.on('close', () => {
        mostInATurn = Math.max(mostInATurn, ++inThisTurn);
        if (++closed === CLIENTS) resolve();
      }),
    ),
  );
  // They fall silent together.
  const responses: ServerResponse[] = [];
  server.on('request', (_req, res) => {
    if (responses.push(res) === CLIENTS) for (const response of responses) response.write(answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const turn = () => {
    inThisTurn = 0;
    if (closed < CLIENTS) setImmediate(turn);
  };
  turn();
  for (let count = 0; count < CLIENTS; count++)
    connect({ port, host: '127.0.0.1' })
      .on('error', () => undefined)
      .pause()
      .write(REQUEST_TEXT);

  await all;
  expect(mostInATurn).toBeLessThanOrEqual(50);
  expect(mostInATurn).toBeGreaterThan(1);
});

test('pipelined requests are answered one after the other, in order', async () => {
  const begun: string[] = [];
  const client = await dial({}, (req, res) => {
    const { url = '' } = req;
    begun.push(`${url} begins`);
    res.on('close', () => begun.push(`${url} ends`));
    setImmediate(() => res.end(`answer to ${url}`));
  });
  client.write(
    'GET /1 HTTP/1.1\r\nHost: site\r\n\r\nGET /2 HTTP/1.1\r\nHost: site\r\n\r\nGET /3 HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n',
  );

  expect((await text(client)).match(/answer to \/\d/g)).toEqual(['answer to /1', 'answer to /2', 'answer to /3']);
  expect(begun.slice(0, 5)).toEqual(['/1 begins', '/1 ends', '/2 begins', '/2 ends', '/3 begins']);
});

test('a connection with too many pipelined requests is closed', async () => {
  const client = await dial({}, () => undefined);
  client.on('error', () => undefined).resume();
  client.write(REQUEST_TEXT.repeat(1000));

  await once(client, 'close');
});

test('a proxy may send any number of sequential requests on one connection', async () => {
  const client = await dial();

  for (let asked = 0; asked < 120; asked++) {
    client.write(REQUEST_TEXT);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toContain('200 OK');
  }
  client.destroy();
});
