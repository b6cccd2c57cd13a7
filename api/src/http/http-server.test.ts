import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from './http-server.ts';

const QUICK = { headersMs: 100, requestMs: 200, checkMs: 20 };

async function dial(patience = {}): Promise<Socket> {
  const server = createHttpServer(patience);
  server.on('request', (req, res) => void req.resume().on('end', () => res.end('done')));
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
])('a client that $what is told so and ended', async ({ sent }) => {
  const client = await dial(QUICK);
  client.write(sent);

  expect(await text(client)).toContain('408 Request Timeout');
});

test.each([
  { what: 'speaks another protocol', sent: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', answer: '400 Bad Request' },
  { what: 'sends headers without end', sent: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, answer: '431 Request Header Fields Too Large' },
  { what: 'says two lengths of one body', sent: 'POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', answer: '400 Bad Request' },
])('a client that $what is refused', async ({ sent, answer }) => {
  const client = await dial();
  client.write(sent);

  expect(await text(client)).toContain(answer);
});
