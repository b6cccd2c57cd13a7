import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { isIPv6, type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { findDeadOrigin } from '#api/test/listen.ts';
import { CERTIFICATE, KEY } from '#api/test/certificate.ts';
import { openReceiver } from '#api/test/open-receiver.ts';
import { createLookUpPublic, createPostWebhook, findUrlProblem } from './post-webhook.ts';

const post = createPostWebhook('any', { timeoutMs: 300 });
const send = (url: string, by = post) => by(url, { 'webhook-id': 'm1' }, '{"n":"ü"}');

test('a message is sent unchanged, with its headers, and the response status is returned', async () => {
  const { url, received } = await openReceiver((res) => void res.writeHead(202).end('thanks'));

  expect(await send(`${url}?token=1`)).toEqual({ status: 202 });
  expect(received).toMatchObject([
    { path: '/hook?token=1', headers: { 'webhook-id': 'm1', 'content-type': 'application/json' }, body: '{"n":"ü"}' },
  ]);
});

test.each([
  { how: 'answers 500', answer: 500, outcome: { status: 500 } },
  { how: 'redirects', answer: 307, outcome: { status: 307 } },
])('a receiver that $how', async ({ answer, outcome }) => {
  const elsewhere = await openReceiver();
  const { url } = await openReceiver((res) => void res.writeHead(answer, { location: elsewhere.url }).end());

  expect(await send(url)).toEqual(outcome);
  expect(elsewhere.received).toEqual([]);
});

test('reports a receiver that hangs, drips its headers, disconnects or is unreachable', async () => {
  const hangs = await openReceiver(() => undefined);
  const drips = await openReceiver((res) => void res.socket?.write('HTTP/1.1 200 OK\r\nx-slow: '));
  const breaks = await openReceiver((res) => void res.socket?.destroy());
  const half = await openReceiver((res) => void res.socket?.end('HTTP/1.1 20'));

  expect(await send(hangs.url)).toEqual({ code: 'ETIMEDOUT' });
  expect(await send(drips.url)).toEqual({ code: 'ETIMEDOUT' });
  expect(await send(breaks.url)).toEqual({ code: 'ECONNRESET' });
  expect(await send(half.url)).toEqual({ code: expect.stringMatching(/^(ECONNRESET|HPE_)/) as string });
  expect(await send(await findDeadOrigin())).toEqual({ code: 'ECONNREFUSED' });
  expect(await send('https://nothing.invalid/')).toEqual({ code: expect.stringMatching(/ENOTFOUND|EAI/) as string });
});

test('a receiver that answers 101 is not awaited', async () => {
  const { url } = await openReceiver(
    (res) => void res.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  );

  expect(await send(url, createPostWebhook('any', { timeoutMs: 60_000 }))).toEqual({ code: 'unknown' });
});

test('an endless response is cut off after its status', async () => {
  let closed: Promise<unknown> | undefined;
  const { url } = await openReceiver((res) => {
    closed = once(res, 'close');
    res.writeHead(200).on('drain', () => res.write(Buffer.alloc(65_536)));
    for (let n = 0; n < 4; n++) res.write(Buffer.alloc(65_536));
  });

  // Later than the test may last.
  expect(await send(url, createPostWebhook('any', { timeoutMs: 60_000 }))).toEqual({ status: 200 });
  await closed;
});

test.each([
  'https://127.0.0.1:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f.1:PORT/',
  'https://[::1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://inside.example:PORT/',
  'https://both-inside.example:PORT/',
  'https://metadata.example/',
  'http://localhost:PORT/',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/',
])('threat 53: rejects the address %s where only public addresses are allowed', async (address) => {
  const { port, connections } = await listenForConnections();

  const resolver = await openDns({
    'inside.example': ['127.0.0.1'],
    'both-inside.example': ['127.0.0.1', '::1'],
    'metadata.example': ['169.254.169.254'],
  });
  const publicly = createPostWebhook('public', { resolver });

  expect(await send(address.replace('PORT', String(port)), publicly)).toEqual({ code: 'ENOTPUBLIC' });
  expect(connections()).toBe(0);
});

test.each([
  { url: 'hooks.example', said: 'no address' },
  { url: 'http://hooks.example/', said: 'begin with https://' },
  { url: 'ftp://hooks.example/', said: 'begin with https://' },
  { url: 'http://localhost/', said: 'needs WEBHOOK_ADDRESSES=any' },
  { url: 'https://ada:pass@hooks.example/', said: 'no name and no password' },
  { url: 'https://hooks.example/#', said: 'no #' },
  { url: 'https://192.168.0.1/', said: 'needs WEBHOOK_ADDRESSES=any' },
])('rejects $url as a webhook address', ({ url, said }) => {
  expect(findUrlProblem(url, 'public')).toContain(said);
});

test('http is accepted only for this machine, and only where any address is allowed', () => {
  expect(findUrlProblem('http://127.0.0.1:8080/', 'any')).toBeUndefined();
  expect(findUrlProblem('http://10.0.0.1/', 'any')).toContain('https://');
  expect(findUrlProblem('https://hooks.example/keys?token=1', 'public')).toBeUndefined();
});

test('a receiver with an invalid certificate is rejected', async () => {
  const { port, connections } = await listenForConnections();

  expect(await send(`https://localhost:${String(port)}/`)).toEqual({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(connections()).toBe(1);

  const before = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, CERTIFICATE]);
  expect(await send(`https://localhost:${String(port)}/`)).toEqual({ status: 200 });
});

test('only public addresses of a host name are connected, and a hanging name server times out', async () => {
  const resolver = await openDns({ 'mixed.example': ['127.0.0.1', '2001:4860::1', '1.1.1.1'] });
  const publicly = createPostWebhook('public', { resolver });
  const found = await new Promise((resolve) => {
    createLookUpPublic(resolver)('mixed.example', { all: true }, (_error, addresses) => resolve(addresses));
  });

  expect(found).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '2001:4860::1', family: 6 },
  ]);
  expect(await send('https://unknown.example/', publicly)).toEqual({ code: 'ENOTFOUND' });
  expect(await send('https://hangs.example/', publicly)).toEqual({ code: 'ETIMEOUT' });
});

/**
 * Starts a name server that knows these names, and does not answer to `hangs.example`.
 * @returns a resolver that asks it
 */
async function openDns(names: Readonly<Record<string, string[]>>): Promise<Resolver> {
  const server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length; (length = question[at] ?? 0) > 0; at += length + 1)
      labels.push(question.subarray(at + 1, at + 1 + length).toString());
    const name = labels.join('.');
    if (name === 'hangs.example') return;

    const type = question.readUInt16BE(at + 1);
    const found = (names[name] ?? []).filter((text) => (isIPv6(text) ? 28 : 1) === type).map(encodeAddress);
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(name in names ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(found.length, 6);
    head.fill(0, 8);
    const records = found.map((bytes) => {
      const record = Buffer.from('c00c0000000100000000ffff', 'hex');
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    server.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${String(server.address().port)}`]);
  return resolver;
}

function encodeAddress(text: string): Buffer {
  if (!isIPv6(text)) return Buffer.from(text.split('.').map(Number));
  const [before = '', after = ''] = text.split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const [first, last] = [groups(before), groups(after)];
  const all = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** Starts an HTTPS server that counts its connections. */
async function listenForConnections() {
  let count = 0;
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (_req, res) => void res.end()).listen(0, '127.0.0.1');
  server.on('connection', () => (count += 1));
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => count };
}
