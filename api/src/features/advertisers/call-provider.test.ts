import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ProviderError } from './advertiser.ts';
import { createCallProvider } from './call-provider.ts';

async function listen(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

async function failureOf(url: URL): Promise<unknown> {
  return createCallProvider({ timeoutMs: 200 })(url).catch((error: unknown) => error);
}

test('a plain reply is given as it is', async () => {
  const url = await listen((_req, res) => res.end('TRUE'));

  expect(await createCallProvider()(url)).toBe('TRUE');
});

test.each([
  { why: 'fails', listener: (_req, res) => res.writeHead(500).end('TRUE') },
  { why: 'says too much', listener: (_req, res) => res.end('T'.repeat(5000)) },
  { why: 'never answers', listener: () => undefined },
  { why: 'never ends its answer', listener: (_req, res) => res.write('TRUE') },
  { why: 'breaks off', listener: (req) => req.socket.destroy() },
  { why: 'sends us elsewhere', listener: (_req, res) => res.writeHead(302, { location: 'https://evil.example/' }).end() },
] satisfies { why: string; listener: RequestListener }[])('row 12: an advertiser that $why did not answer, though it was asked', async ({ listener }) => {
  const failure = await failureOf(await listen(listener));

  expect(failure).toBeInstanceOf(ProviderError);
  expect(failure).toMatchObject({ wasSent: true });
});

test('an advertiser that cannot be reached was not asked', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');

  expect(await failureOf(new URL(`http://127.0.0.1:${port}/`))).toMatchObject({ name: 'ProviderError', wasSent: false });
});
