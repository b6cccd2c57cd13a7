import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Resolution } from '../../shared/contracts/src/resolution.ts';
import { readResolution } from './edited-unit.ts';
import { buildRelease, CODE, HTML, openSampleSite, RESOLUTION, type SampleSite } from './test/sample-site.ts';

const FILE = { sha384: 'own', bytes: CODE.length };
const OWN = '/releases/news/0.1.0-dev.working-copy';

let sample: SampleSite;

beforeEach(async () => {
  sample = await openSampleSite();
});
afterEach(() => sample.close());

test('an error of a page is answered and printed with the lines of its sources', async () => {
  const lines = ['import x;', '', '  throw new Error(x);', '', 'end', 'after'];
  const map = { version: 3, sources: ['webpack://news/./src/start-page.tsx'], sourcesContent: [lines.join('\n')] };
  mkdirSync(join(sample.edited.folder, 'source-maps'));
  writeFileSync(
    join(sample.edited.folder, 'source-maps/entry.js.map'),
    JSON.stringify({ ...map, names: [], mappings: 'AAEE' }),
  );
  const of = (name: string) => `${sample.url}${OWN}/${name}`;
  const stack = [
    'Error: no\u001b[2J\u202e',
    `    at ${of('secret.txt')}:1:1`,
    `    at f (${of('entry.js')}?retry=1:1:1)`,
    '    at https://other.example/a.js:3:4',
  ].join('\n');

  const answer = await fetch(`${sample.url}/dev/edited-unit/errors`, { method: 'POST', body: stack });

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
  expect(sample.said).toEqual([text]);
  expect(sample.asked).toEqual([]);
});

test('of the places of an error the first in the unit’s own code is shown, and no package', async () => {
  const sources = ['webpack://news/./node_modules/pack/a.js', 'webpack://news/./src/page.tsx'];
  const map = { version: 3, sources, sourcesContent: ['pack', 'a\n\nb\n\nc'], names: [] };
  mkdirSync(join(sample.edited.folder, 'source-maps'));
  writeFileSync(
    join(sample.edited.folder, 'source-maps/entry.js.map'),
    JSON.stringify({ ...map, mappings: 'AAAA,UCEE,UAEF' }),
  );
  const at = (column: number) => `${sample.url}${OWN}/entry.js:1:${String(column)}`;
  const body = [at(10), at(11), at(21)].join('\n');

  const answer = await fetch(`${sample.url}/dev/edited-unit/errors`, { method: 'POST', body });
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
    const answer = await fetch(`${sample.url}/dev/edited-unit/errors`, { method: 'POST', body });
    return answer.text();
  };
  const stack = `Error: no\n    at ${sample.url}${OWN}/entry.js:1:1`;
  expect(await tellError(stack)).toBe(stack);
  mkdirSync(join(sample.edited.folder, 'source-maps'));
  writeFileSync(join(sample.edited.folder, 'source-maps/entry.js.map'), '{"version":3,');
  expect(await tellError(stack)).toBe(stack);
  expect(await tellError('x'.repeat(100_000))).toHaveLength(64 * 1024);
  expect((await fetch(`${sample.url}/dev/edited-unit/errors`)).status).toBe(405);
});

test('a page of the site names the build of the working copy, and no file of the release that it replaces', async () => {
  const response = await fetch(`${sample.url}/news?a=1`);
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
  expect(sample.asked.map(({ url }) => url)).toEqual(['/news?a=1']);
});

test('of a compressed page the unit is replaced as well; other compressed answers come as they are', async () => {
  sample.respond = (req, res) =>
    res
      .writeHead(200, {
        'content-type': req.url === '/news' ? 'text/html' : 'text/javascript',
        'content-encoding': 'br',
      })
      .end(brotliCompressSync(req.url === '/news' ? HTML : CODE));

  const page = await fetch(`${sample.url}/news`);
  expect(readResolution(await page.text())?.units['news']?.version).toBe('0.1.0-dev.working-copy');

  const script = await fetch(`${sample.url}/releases/shell/1.0.0/shell.js`);
  expect(script.headers.get('content-encoding')).toBe('br');
  expect(await script.text()).toBe(CODE);
});

test('the build is served from here: the site is not sample.asked, and gets none of it', async () => {
  const response = await fetch(`${sample.url}${OWN}/entry.js`);

  expect(await response.text()).toBe(CODE);
  expect(response.headers.get('content-type')).toContain('text/javascript');
  expect((await fetch(`${sample.url}${OWN}/secret.txt`)).status).toBe(404);
  expect(sample.asked.filter(({ url }) => url.startsWith(OWN))).toEqual([]);
});

test('a page that only the working copy has is shown in the HTML of a page of its unit, with its own title', async () => {
  const html = await (await fetch(`${sample.url}/news/today`)).text();

  expect(sample.asked.map(({ url }) => url)).toEqual(['/news']);
  expect(html).toContain('<title>Arceus Team | Today</title>');
});

test('the site sees its own names, and its answers lead back here', async () => {
  sample.respond = (_req, res) => {
    res.writeHead(303, {
      location: `${sample.siteUrl}/after`,
      'set-cookie': ['__Host-v=1; Path=/; Secure', 'a=2; Domain=example.com; Path=/'],
      'content-security-policy': `connect-src 'self' ws://${new URL(sample.siteUrl).host} wss://other.example`,
    });
    res.end();
  };
  const response = await fetch(`${sample.url}/api/form`, {
    method: 'POST',
    body: 'sent',
    redirect: 'manual',
    headers: { origin: sample.url, referer: `${sample.url}/news` },
  });

  expect(response.headers.get('location')).toBe(`${sample.url}/after`);
  expect(response.headers.getSetCookie()).toEqual(['__Host-v=1; Path=/; Secure', 'a=2; Path=/']);
  expect(response.headers.get('content-security-policy')).toBe(
    `connect-src 'self' ${sample.url.replace('http', 'ws')} wss://other.example`,
  );
  expect(sample.asked).toMatchObject([
    {
      body: 'sent',
      headers: {
        host: new URL(sample.siteUrl).host,
        origin: sample.siteUrl,
        referer: `${sample.siteUrl}/news`,
      },
    },
  ]);
});

test('an origin that is not ours stays what it is, so that the site refuses it', async () => {
  await fetch(`${sample.url}/api/form`, { method: 'POST', headers: { origin: 'https://evil.example' } });

  expect(sample.asked[0]?.headers.origin).toBe('https://evil.example');
});

test('WebSockets of the site pass through', async () => {
  const origins: (string | undefined)[] = [];
  new WebSocketServer({ server: sample.upstream }).on('connection', (socket, req) => {
    origins.push(req.headers.origin);
    socket.on('message', (said) => socket.send(`heard ${(said as Buffer).toString()}`));
  });
  const socket = new WebSocket(`${sample.url.replace('http', 'ws')}/live`, { origin: sample.url });
  await once(socket, 'open');
  socket.send('hello');

  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  expect(answer.toString()).toBe('heard hello');
  expect(origins).toEqual([sample.siteUrl]);
});

test('the answer to which versions hold names the build of the working copy', async () => {
  sample.respond = (_req, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESOLUTION));
  const said = (await (await fetch(`${sample.url}/api/federation/resolution`)).json()) as Resolution;

  expect(said.revision).toBe(7);
  expect(said.units['news']?.version).toBe('0.1.0-dev.working-copy');
});

test('what fails while it is edited is not reported to the site', async () => {
  const response = await fetch(`${sample.url}/api/load-reports`, { method: 'POST', body: '{}' });

  expect(response.status).toBe(204);
  expect(sample.asked).toEqual([]);
});

test('open pages hear of a new build and of a build error', async () => {
  const response = await fetch(`${sample.url}/dev/edited-unit/events`);
  const events = readEvents(response);
  const first = await events();
  expect(first).toMatchObject({ problem: '' });

  sample.edited.problem = 'Unexpected token';
  sample.tell();
  expect(await events()).toEqual({ build: first.build, problem: 'Unexpected token' });

  sample.edited.problem = undefined;
  sample.edited.release = { ...buildRelease(), css: ['other.css'] };
  sample.tell();
  const next = await events();
  expect(next.problem).toBe('');
  expect(next.build).not.toBe(first.build);
});

test('a site that does not answer gives 502 with its origin', async () => {
  sample.upstream.close().closeAllConnections();
  await once(sample.upstream, 'close');
  const response = await fetch(`${sample.url}/news`);

  expect(response.status).toBe(502);
  expect(await response.text()).toContain(`${sample.siteUrl} does not answer`);
});

test('a name of a foreign page that leads to this machine gets neither the working copy nor the site', async () => {
  for (const path of ['/', '/news', `${OWN}/entry.js`, '/dev/edited-unit/events', '/api/x'])
    expect(await statusOf(path, { host: 'evil.example:8080' }), path).toBe(403);
  expect(await statusOf('/news', { host: 'localhost:8080' })).toBe(200);
  expect(sample.asked).toHaveLength(1);

  const [name, port] = new URL(sample.url).host.split(':');
  const socket = connect(Number(port), name).resume();
  socket.write('GET /live HTTP/1.1\r\nhost: evil.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  await once(socket, 'close');
});

test('a page of another origin cannot run the working copy', async () => {
  for (const from of ['cross-site', 'same-site'])
    for (const path of [
      `${OWN}/entry.js`,
      '/dev/edited-unit/client.js',
      '/dev/edited-unit/events',
      '/dev/edited-unit/errors',
    ])
      expect(await statusOf(path, { 'sec-fetch-site': from }), path).toBe(403);

  expect(await statusOf(`${OWN}/entry.js`, { 'sec-fetch-site': 'same-origin' })).toBe(200);
});

test('a page of the site itself may load the newest build and hear of the next, and no other origin may', async () => {
  const mine = '/releases/news/page.0123abcd.js';
  sample.edited.release = {
    ...buildRelease(),
    files: { ...buildRelease().files, [mine.split('/').at(-1) ?? '']: FILE },
  };
  writeFileSync(join(sample.edited.folder, 'page.0123abcd.js'), CODE);

  for (const path of ['/releases/news/remoteEntry.js', mine, '/dev/edited-unit/events'])
    for (const [origin, status] of [
      [sample.siteUrl, 200],
      ['https://evil.example', 403],
      ['null', 403],
      [`${sample.siteUrl}.evil.example`, 403],
    ] as const) {
      const answer = await ask(path, { origin, 'sec-fetch-site': 'cross-site' });
      expect(answer.status, `${path} for ${origin}`).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBe(status === 200 ? origin : undefined);
      if (status === 200) expect(answer.headers['vary']).toBe('origin');
    }
  expect(sample.asked).toEqual([]);
});

test('a picture comes to every page, because browsers do not say for which it is; no code does so', async () => {
  sample.edited.release = { ...buildRelease(), files: { ...buildRelease().files, 'a.0123abcd.svg': FILE } };
  writeFileSync(join(sample.edited.folder, 'a.0123abcd.svg'), '<svg/>');

  expect(await statusOf('/releases/news/a.0123abcd.svg', { 'sec-fetch-site': 'cross-site' })).toBe(200);
  expect(await statusOf('/releases/news/remoteEntry.js', { 'sec-fetch-site': 'cross-site' })).toBe(403);
});

test('before the first build that works there is no entry, and the site is not sample.asked for one', async () => {
  sample.edited.release = undefined;

  expect(await statusOf('/releases/news/remoteEntry.js', { origin: sample.siteUrl })).toBe(404);
  expect(sample.asked).toEqual([]);
});

test('a file with the name of a member of every object is no file of the build', async () => {
  expect(await statusOf(`${OWN}/constructor`, {})).toBe(404);
});

test('a socket that is reset before the site has answered ends nothing', async () => {
  const upgrading = once(sample.upstream, 'upgrade') as Promise<[IncomingMessage, Socket]>;
  const { hostname, port } = new URL(sample.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  const [, atSite] = await upgrading;
  atSite.on('error', () => undefined).resume();
  socket.resetAndDestroy();
  await once(atSite, 'end');
  atSite.destroy();

  expect((await fetch(`${sample.url}/news`)).status).toBe(200);
});

test('a redirect to another site is passed on as it is', async () => {
  const elsewhere = `${sample.siteUrl}.other.example/after`;
  sample.respond = (_req, res) => res.writeHead(303, { location: elsewhere }).end();

  const response = await fetch(`${sample.url}/news`, { redirect: 'manual' });
  expect(response.headers.get('location')).toBe(elsewhere);
});

/** Reads one event after the other. */
function readEvents(response: Response): () => Promise<{ build: string; problem: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return async () => JSON.parse((await reader?.read())?.value?.replace(/^data: /, '') ?? '') as never;
}

async function statusOf(path: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  return (await ask(path, headers)).status;
}

/** Asks with any headers; `fetch` does not allow another host. */
function ask(path: string, headers: OutgoingHttpHeaders): Promise<{ status?: number; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    request(sample.url, { path, headers }, (res) => {
      resolve({ ...(res.statusCode && { status: res.statusCode }), headers: res.headers });
      res.destroy();
    })
      .on('error', reject)
      .end();
  });
}
