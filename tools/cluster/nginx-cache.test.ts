import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { standBehindNginx } from './test/behind-nginx.ts';

/** How many requests have reached the server. */
let asked = 0;
/** The headers that it answers with, besides what it varies on. */
let headers: Record<string, string> = {};

/** What the server waits for before it answers a page. */
let held: Promise<unknown> | undefined;

/** A server behind nginx. Each answer says for whom it was made, and is another one. */
const site = createServer((req, res) => {
  asked += 1;
  const { cookie = '', 'accept-encoding': coding = '', 'accept-language': language = '' } = req.headers;
  const made = JSON.stringify({ url: req.url, cookie, coding, language, nth: asked });
  const etag = `"${asked}"`;
  const answer = () => {
    res.writeHead(200, { vary: 'Accept-Encoding, Accept-Language', etag, ...headers });
    res.end(made);
  };
  if (held && req.url?.startsWith('/page')) void held.then(answer);
  else answer();
});
const sockets = new WebSocketServer({ server: site });
sockets.on('connection', (opened) => opened.send('hello'));

const CACHEABLE = { 'x-accel-expires': '60', 'cache-control': 'no-cache' };
const VISITOR = '__Host-v=abc.def.ghi';

const { port, send } = standBehindNginx(site, sockets);
let address: string;
let addresses = 0;

beforeEach(() => {
  headers = CACHEABLE;
  held = undefined;
  address = `/page-${addresses++}`;
});

interface Made {
  url: string;
  cookie: string;
  coding: string;
  language: string;
  nth: number;
}

/** Whom the answer was made for. */
const ask = async (path: string, sent?: Record<string, string>) => JSON.parse((await send(path, sent)).text) as Made;

/** Asks so often that what may be cached is cached. */
async function fill(path: string, sent?: Record<string, string>): Promise<Made> {
  await ask(path, sent);
  return ask(path, sent);
}

/** How many of some requests reach the server. */
async function countAsked(requests: () => Promise<unknown>): Promise<number> {
  const before = asked;
  await requests();
  return asked - before;
}

const isCached = async (path: string, sent?: Record<string, string>) =>
  (await countAsked(() => fill(path, sent).then(() => ask(path, sent)))) < 3;

test('an answer with X-Accel-Expires is cached for all browsers that have chosen nothing, and sent without that header', async () => {
  const cached = await fill(address);

  expect(await ask(address)).toEqual(cached);
  expect(await ask(address, { cookie: VISITOR })).toEqual(cached);
  expect((await send(address)).headers).not.toHaveProperty('x-accel-expires');
  expect((await send(address, { 'if-none-match': `"${cached.nth}"` })).status).toBe(304);
});

/** What browsers ask for with and without https, CDNs, and programs. */
const CODINGS = [
  'gzip, deflate, br, zstd',
  'gzip, deflate, br',
  'gzip, deflate',
  'gzip, br',
  'br, gzip',
  'gzip',
  'br',
  '',
];

test('threat 58: each coding and language is cached apart', async () => {
  const wanted = CODINGS.flatMap((coding) => ['vi', 'en', ''].map((language) => ({ coding, language })));
  const send = ({ coding, language }: (typeof wanted)[number]) =>
    fill(address, {
      ...(coding && { 'accept-encoding': coding }),
      ...(language && { 'accept-language': language }),
    });

  for (const each of [...wanted, ...wanted]) expect(await send(each)).toMatchObject(each);
});

test.each(['/page-by-coding', '/releases/shell/by-coding.js'])(
  'threat 43: %s is cached for the Accept-Encoding of browsers and CDNs, and for no other spelling',
  async (path) => {
    for (const coding of CODINGS) expect(await isCached(path, coding ? { 'accept-encoding': coding } : {})).toBe(true);
    for (const coding of ['zstd', 'x, br', 'gzip, deflate, br, zstd, x', 'gzip,deflate', 'GZIP, deflate'])
      expect(await isCached(path, { 'accept-encoding': coding }), coding).toBe(false);
  },
);

test('threat 58: each address is cached apart', async () => {
  await fill(address);

  expect((await ask(`${address}x`)).url).toBe(`${address}x`);
});

test('threat 43: one address is cached once for all hosts', async () => {
  await fill(address);

  for (const host of ['other.example', 'LOCALHOST', 'a.b:1'])
    expect(await countAsked(() => ask(address, { host })), host).toBe(0);
});

test.each(['/page.svg', '/releases/shell/0.1.0-dev.1+b/static/js/of-a_page.a1b2.js', '/.well-known/page', '/page/'])(
  'threat 43: %s is cached, its other spellings are not',
  async (path) => {
    expect(await isCached(path)).toBe(true);

    const [, first = '', rest = ''] = /^\/(\.?\w)(.*)/.exec(path) ?? [];
    const spelled = `%${Buffer.from(first.slice(-1)).toString('hex')}`;
    for (const other of [
      `${path}#1`,
      `${path}?`,
      `/${path}`,
      `/.${path}`,
      `/x/..${path}`,
      `/x/%2e%2e${path}`,
      `/${first.slice(0, -1)}${spelled}${rest}`,
    ])
      expect(await isCached(other), other).toBe(false);
  },
);

test.each([
  ['a language that was chosen', 'lang=vi'],
  ['pinned versions', '__Host-pin=x.y'],
  ['QA access', '__Host-qa=x.y'],
  ['a notice', '__Host-qa-notice=x.y'],
  ['a unit of its own computer', '__Host-qa-local=x.y'],
  ['a shell that has failed', 'failed-shell=1.2.3'],
  ['the visitor and a choice', `${VISITOR}; lang=vi`],
  ['a choice before the visitor', `lang=vi; ${VISITOR}`],
  ['a choice after a comma', `${VISITOR},lang=vi`],
  ['a visitor whose name only ends so', 'x__Host-v=abc'],
])('threat 58: a browser with %s bypasses the cache, and its answer is not cached', async (_what, cookie) => {
  await fill(address);

  expect((await ask(address, { cookie })).cookie).toBe(cookie);
  expect(await isCached(`${address}-own`, { cookie })).toBe(false);
  expect((await ask(`${address}-own`)).cookie).toBe('');
});

test.each([
  ['that names no time', { 'cache-control': 'public, max-age=60' }],
  ['of a moment', { ...CACHEABLE, 'x-accel-expires': '0' }],
  ['with a new cookie', { ...CACHEABLE, 'set-cookie': 'a=b' }],
  ['that no cache may store', { ...CACHEABLE, 'cache-control': 'no-store' }],
  ['of one visitor', { ...CACHEABLE, 'cache-control': 'private, no-cache' }],
  ['that varies on everything', { ...CACHEABLE, vary: '*' }],
])('threat 58: an answer %s is not cached', async (_what, given) => {
  expect(await isCached(address)).toBe(true);
  headers = given;

  expect(await isCached(`${address}-own`)).toBe(false);
});

test.each(['/api/key-system', '/API/state', '/healthz'])('threat 58: %s is never cached', async (path) => {
  expect(await isCached(path)).toBe(false);
});

test.each(['/page-asked', '/releases/shell/asked.js'])('threat 43: %s with a query is never cached', async (path) => {
  for (const query of ['?hwid=device-1', '?accent=red', '?nth=1']) expect(await isCached(path + query)).toBe(false);
  expect(await isCached(path)).toBe(true);
});

test('a page that is asked for from a page with a query bypasses the cache: without JavaScript links lose the device', async () => {
  await fill(address);
  const referer = 'http://127.0.0.1/plans?hwid=device-1';

  expect(await countAsked(() => ask(address, { referer }))).toBe(1);
  expect(await countAsked(() => ask(address, { referer: 'http://127.0.0.1/plans' }))).toBe(0);
});

test('a file that is asked for from a page with a query comes from the cache: no device is in it', async () => {
  await fill('/releases/shell/left.js');
  const referer = 'http://127.0.0.1/key-system-2?hwid=device-1';

  expect(await countAsked(() => ask('/releases/shell/left.js', { referer }))).toBe(0);
});

test('threat 58: POST and WebSocket bypass the cache', async () => {
  await fill('/');

  expect(await countAsked(() => send('/', {}, { method: 'POST' }))).toBe(1);
  const socket = new WebSocket(`ws://127.0.0.1:${port()}/`);
  const [hello] = (await once(socket, 'message')) as [Buffer];
  expect(String(hello)).toBe('hello');
  socket.terminate();
});

test('an answer that is cached for a second is fetched again afterwards', async () => {
  headers = { ...CACHEABLE, 'x-accel-expires': '1' };
  const { nth } = await fill(address);

  expect((await ask(address)).nth).toBe(nth);
  await expect.poll(async () => (await ask(address)).nth).toBeGreaterThan(nth);
});

test('fifty requests for a cached page reach no server', async () => {
  await fill(address);
  const crowd = () => Promise.all(Array.from({ length: 50 }, () => ask(address)));

  expect(await countAsked(crowd)).toBe(0);
});

test('the first request for an address is not cached', async () => {
  const { nth } = await ask(address);

  expect((await ask(address)).nth).toBeGreaterThan(nth);
});

/** Lets the server answer no page until it is told to. */
function hold(): () => void {
  let answer: () => void = () => undefined;
  held = new Promise<void>((resolve) => (answer = resolve));
  return answer;
}

test('while one request refreshes a page, others are not sent a stale one', async () => {
  headers = { ...CACHEABLE, 'x-accel-expires': '1' };
  await fill(address);
  const answer = hold();
  const before = asked;
  const asking: Promise<Made>[] = [];
  await expect.poll(() => asking.push(ask(address)) && asked > before).toBe(true);

  const others = Array.from({ length: 4 }, () => ask(address));
  await expect.poll(() => asked - before).toBeGreaterThan(others.length);
  answer();
  for (const { nth } of await Promise.all(others)) expect(nth).toBeGreaterThan(before);
  await Promise.all(asking);
});
