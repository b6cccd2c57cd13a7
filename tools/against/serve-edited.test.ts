import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Resolution } from '../../shared/contracts/src/resolution.ts';
import { readResolution } from './edited-page.ts';
import type { EditedUnit } from './edited-unit.ts';
import { buildRelease, CODE, HTML, RESOLUTION } from './sample-site.ts';
import { serveEdited } from './serve-edited.ts';
import { openSite, type Site } from './site.ts';

const OWN = '/releases/news/0.1.0-dev.working-copy';

/** The site: what it was asked, and what it answers. */
let asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let respond: RequestListener;
let upstream: Server;
let site: Site;
let edited: EditedUnit;
let server: Server;
let tell: () => void;
let said: string[];

beforeEach(async () => {
  asked = [];
  said = [];
  respond = (_req, res) => res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag: 'x' }).end(HTML);
  upstream = createServer((req, res) => {
    void text(req).then((body) => {
      asked.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      respond(req, res);
    });
  });
  await listen(upstream);
  const folder = mkdtempSync(join(tmpdir(), 'edited-'));
  writeFileSync(join(folder, 'entry.js'), CODE);
  writeFileSync(join(folder, 'secret.txt'), 'not listed');
  edited = { unit: 'news', version: '0.1.0-dev.working-copy', folder, release: buildRelease() };
  site = openSite(originOf(upstream), () => originOf(server));
  ({ server, tell } = serveEdited({
    site,
    edited,
    resolution: RESOLUTION,
    context: 'remotes/news',
    say: (text) => void said.push(text),
  }));
  await listen(server);
});

afterEach(() => {
  for (const open of [server, upstream]) open.close().closeAllConnections();
  site.close();
  rmSync(edited.folder, { recursive: true });
});

test('what a page has thrown is answered, and said, with the lines of the sources', async () => {
  const lines = ['import x;', '', '  throw new Error(x);', '', 'end', 'after'];
  const map = { version: 3, sources: ['webpack://news/./src/start-page.tsx'], sourcesContent: [lines.join('\n')] };
  mkdirSync(join(edited.folder, 'source-maps'));
  writeFileSync(
    join(edited.folder, 'source-maps/entry.js.map'),
    JSON.stringify({ ...map, names: [], mappings: 'AAEE' }),
  );
  const of = (name: string) => `${originOf(server)}${OWN}/${name}`;
  const stack = [
    'Error: no\u001b[2J\u202e',
    `    at ${of('secret.txt')}:1:1`,
    `    at f (${of('entry.js')}?retry=1:1:1)`,
    '    at https://other.example/a.js:3:4',
  ].join('\n');

  const answer = await fetch(`${originOf(server)}/dev/edited-unit/errors`, { method: 'POST', body: stack });

  const text = await answer.text();
  expect(text.split('\n')).toEqual([
    'Error: no[2J',
    `    at ${of('secret.txt')}:1:1`,
    '    at f (remotes/news/src/start-page.tsx:3:3)',
    '    at https://other.example/a.js:3:4',
    '',
    'remotes/news/src/start-page.tsx:3:3',
    '     1 | import x;',
    '     2 | ',
    '>    3 |   throw new Error(x);',
    '     4 | ',
    '     5 | end',
  ]);
  expect(said).toEqual([text]);
  expect(asked).toEqual([]);
});

test('of the places of an error the first in the unit’s own code is shown, and no package', async () => {
  const sources = ['webpack://news/./node_modules/pack/a.js', 'webpack://news/./src/page.tsx'];
  const map = { version: 3, sources, sourcesContent: ['pack', 'a\n\nb\n\nc'], names: [] };
  mkdirSync(join(edited.folder, 'source-maps'));
  writeFileSync(
    join(edited.folder, 'source-maps/entry.js.map'),
    JSON.stringify({ ...map, mappings: 'AAAA,UCEE,UAEF' }),
  );
  const at = (column: number) => `${originOf(server)}${OWN}/entry.js:1:${String(column)}`;
  const body = [at(10), at(11), at(21)].join('\n');

  const answer = await fetch(`${originOf(server)}/dev/edited-unit/errors`, { method: 'POST', body });
  const own = 'remotes/news/src/page.tsx';
  expect((await answer.text()).split('\n')).toEqual([
    'remotes/news/node_modules/pack/a.js:1:1',
    `${own}:3:3`,
    `${own}:5:1`,
    '',
    `${own}:3:3`,
    '     1 | a',
    '     2 | ',
    '>    3 | b',
    '     4 | ',
    '     5 | c',
  ]);
});

test('an error stays as it is where there is no source map, or half of one, and only as much of it as a stack has', async () => {
  const tellError = async (body: string) => {
    const answer = await fetch(`${originOf(server)}/dev/edited-unit/errors`, { method: 'POST', body });
    return answer.text();
  };
  const stack = `Error: no\n    at ${originOf(server)}${OWN}/entry.js:1:1`;
  expect(await tellError(stack)).toBe(stack);
  mkdirSync(join(edited.folder, 'source-maps'));
  writeFileSync(join(edited.folder, 'source-maps/entry.js.map'), '{"version":3,');
  expect(await tellError(stack)).toBe(stack);
  expect(await tellError('x'.repeat(100_000))).toHaveLength(64 * 1024);
  expect((await fetch(`${originOf(server)}/dev/edited-unit/errors`)).status).toBe(405);
});

test('a page of the site names the build of the working copy, and no file of the release that it replaces', async () => {
  const response = await fetch(`${originOf(server)}/news?a=1`);
  const html = await response.text();

  expect(readResolution(html)?.units['news']).toEqual({
    version: '0.1.0-dev.working-copy',
    source: 'pin',
    entry: { url: `${OWN}/entry.js`, integrity: 'sha384-own', globalName: 'news_own' },
    contract: '2.2',
    routes: ['/news', '/news/today'],
    titles: { '/news/today': 'Today' },
  });
  expect(readResolution(html)?.units['shell']).toEqual(RESOLUTION.units['shell']);
  expect(html).not.toContain('/releases/news/1.0.0');
  expect(html).toContain('/releases/shell/1.0.0/shell.css');
  expect(html).toMatch(/<script src="\/dev\/edited-unit\/client\.js" data-build="[0-9a-f]{12}"><\/script>/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('etag')).toBeNull();
  expect(asked.map(({ url }) => url)).toEqual(['/news?a=1']);
});

test('of a compressed page the unit is replaced as well; other compressed answers come as they are', async () => {
  respond = (req, res) =>
    res
      .writeHead(200, {
        'content-type': req.url === '/news' ? 'text/html' : 'text/javascript',
        'content-encoding': 'br',
      })
      .end(brotliCompressSync(req.url === '/news' ? HTML : CODE));

  const page = await fetch(`${originOf(server)}/news`);
  expect(readResolution(await page.text())?.units['news']?.version).toBe('0.1.0-dev.working-copy');

  const script = await fetch(`${originOf(server)}/releases/shell/1.0.0/shell.js`);
  expect(script.headers.get('content-encoding')).toBe('br');
  expect(await script.text()).toBe(CODE);
});

test('the build is served from here: the site is not asked, and gets none of it', async () => {
  const response = await fetch(`${originOf(server)}${OWN}/entry.js`);

  expect(await response.text()).toBe(CODE);
  expect(response.headers.get('content-type')).toContain('text/javascript');
  expect((await fetch(`${originOf(server)}${OWN}/secret.txt`)).status).toBe(404);
  expect(asked.filter(({ url }) => url.startsWith(OWN))).toEqual([]);
});

test('a page that only the working copy has is shown in the HTML of a page of its unit, with its own title', async () => {
  const html = await (await fetch(`${originOf(server)}/news/today`)).text();

  expect(asked.map(({ url }) => url)).toEqual(['/news']);
  expect(html).toContain('<title>Arceus Team | Today</title>');
});

test('the site sees its own names, and its answers lead back here', async () => {
  respond = (_req, res) => {
    res.writeHead(303, {
      location: `${originOf(upstream)}/after`,
      'set-cookie': ['__Host-v=1; Path=/; Secure', 'a=2; Domain=example.com; Path=/'],
      'content-security-policy': `connect-src 'self' ws://${new URL(originOf(upstream)).host} wss://other.example`,
    });
    res.end();
  };
  const response = await fetch(`${originOf(server)}/api/form`, {
    method: 'POST',
    body: 'sent',
    redirect: 'manual',
    headers: { origin: originOf(server), referer: `${originOf(server)}/news` },
  });

  expect(response.headers.get('location')).toBe(`${originOf(server)}/after`);
  expect(response.headers.getSetCookie()).toEqual(['__Host-v=1; Path=/; Secure', 'a=2; Path=/']);
  expect(response.headers.get('content-security-policy')).toBe(
    `connect-src 'self' ${originOf(server).replace('http', 'ws')} wss://other.example`,
  );
  expect(asked).toMatchObject([
    {
      body: 'sent',
      headers: {
        host: new URL(originOf(upstream)).host,
        origin: originOf(upstream),
        referer: `${originOf(upstream)}/news`,
      },
    },
  ]);
});

test('an origin that is not ours stays what it is, so that the site refuses it', async () => {
  await fetch(`${originOf(server)}/api/form`, { method: 'POST', headers: { origin: 'https://evil.example' } });

  expect(asked[0]?.headers.origin).toBe('https://evil.example');
});

test('sockets of the site work through it', async () => {
  const origins: (string | undefined)[] = [];
  new WebSocketServer({ server: upstream }).on('connection', (socket, req) => {
    origins.push(req.headers.origin);
    socket.on('message', (said) => socket.send(`heard ${(said as Buffer).toString()}`));
  });
  const socket = new WebSocket(`${originOf(server).replace('http', 'ws')}/live`, { origin: originOf(server) });
  await once(socket, 'open');
  socket.send('hello');

  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  expect(answer.toString()).toBe('heard hello');
  expect(origins).toEqual([originOf(upstream)]);
});

test('the answer to which versions hold names the build of the working copy', async () => {
  respond = (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESOLUTION));
  const said = (await (await fetch(`${originOf(server)}/api/federation/resolution`)).json()) as Resolution;

  expect(said.revision).toBe(7);
  expect(said.units['news']?.version).toBe('0.1.0-dev.working-copy');
});

test('what fails while it is edited is not reported to the site', async () => {
  const response = await fetch(`${originOf(server)}/api/load-reports`, { method: 'POST', body: '{}' });

  expect(response.status).toBe(204);
  expect(asked).toEqual([]);
});

test('open pages learn of a new build and of a mistake', async () => {
  const response = await fetch(`${originOf(server)}/dev/edited-unit/events`);
  const events = readEvents(response);
  const first = await events();
  expect(first).toMatchObject({ problem: '' });

  edited.problem = 'Unexpected token';
  tell();
  expect(await events()).toEqual({ build: first.build, problem: 'Unexpected token' });

  edited.problem = undefined;
  edited.release = { ...buildRelease(), css: ['other.css'] };
  tell();
  const next = await events();
  expect(next.problem).toBe('');
  expect(next.build).not.toBe(first.build);
});

test('a site that does not answer is named', async () => {
  upstream.close().closeAllConnections();
  await once(upstream, 'close');
  const response = await fetch(`${originOf(server)}/news`);

  expect(response.status).toBe(502);
  expect(await response.text()).toContain(`${site.origin} does not answer`);
});

/** Reads one event after the other. */
function readEvents(response: Response): () => Promise<{ build: string; problem: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return async () => JSON.parse((await reader?.read())?.value?.replace(/^data: /, '') ?? '') as never;
}

async function listen(server: Server): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
