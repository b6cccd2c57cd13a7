import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { startNginx } from '../cluster/nginx.ts';
import { freePort, listen } from '../machine/free-port.ts';
import { isListening } from '../machine/postgres.ts';
import { run } from '../machine/run.ts';
import { ofDebian, programPath } from './programs.ts';
import { NotThere, runTable, type RunTool } from './run.ts';

const START_TIMEOUT_MS = 60_000;
const HELLO_TIMEOUT_MS = 5000;
/** How long a server of ours that stops waits for requests on a connection. */
const STOPPING_MS = 1500;
/** Of the address that an answer leads to: as much as Node takes of a request and of an answer. */
const LONG_ADDRESS = 15_000;
const FORGED = '203.0.113.9';

interface Proxy {
  /** What comes from Debian. */
  name: string;
  /** Its file in `programs/`; nginx has those of `deploy/`. */
  file?: string;
  command: (file: string, folder: string, port: number) => string[];
  /** What a machine has in other places than a test. */
  added?: (folder: string) => string;
}

const NGINX: Proxy = { name: 'nginx', command: () => ['nginx'] };

const PROXIES: Record<string, Proxy> = {
  nginx: NGINX,
  HAProxy: {
    name: 'haproxy',
    file: 'haproxy.cfg',
    command: (file) => ['haproxy', '-db', '-f', file],
    // One thread, because each has connections of its own.
    added: () => 'global\n    nbthread 1\n',
  },
  Caddy: {
    name: 'caddy',
    file: 'Caddyfile',
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  Varnish: {
    name: 'varnish',
    file: 'varnish.vcl',
    command: (file, folder, port) => [
      ...['varnishd', '-F', '-n', `${folder}/work`, '-a', `127.0.0.1:${port}`, '-f', file],
      // They stand on its command line alone, so docs/compatibility.md has them as well.
      ...['-p', 'backend_idle_timeout=1', '-p', 'http_resp_hdr_len=32k'],
    ],
  },
  Apache: {
    name: 'apache2-bin',
    file: 'apache.conf',
    command: (file, folder) => ['apache2', '-DFOREGROUND', '-d', folder, '-f', file],
    // One process, because each has connections of its own.
    added: (folder) =>
      `PidFile ${folder}/pid\nErrorLog ${folder}/log\nDefaultRuntimeDir ${folder}\nMutex file:${folder}\nServerLimit 1\nStartServers 1\nMaxRequestWorkers 25\n`,
  },
};

/** What an answer says that may be kept. */
const KEPT = { 'x-accel-expires': '10', 'cache-control': 'public, max-age=10' };
const RANGED = { ...KEPT, 'accept-ranges': 'bytes', etag: '"a"' };

interface Asked {
  method: string;
  headers: Record<string, string>;
  url: string;
}

/**
 * Puts proxies in front of a server that does what one of ours does in rare moments.
 * @param only see `runTable`
 * @returns whether each proxy does what docs/compatibility.md says
 */
export async function runProxies(only?: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'proxies-'));
  // The user of Varnish reads its file.
  chmodSync(folder, 0o755);
  const server = await startServer();
  const stops: (() => Promise<void>)[] = [];
  const started = new Map<string, Promise<number>>();

  const start = async (proxy: Proxy) => {
    const running = await startProxy(proxy, mkdtempSync(join(folder, `${proxy.name}-`)), server.port);
    stops.push(running.stop);
    return running.port;
  };
  const play = (port: number, probe: Probe) => {
    server.asked.length = 0;
    return probe(port, server.asked);
  };
  const tools: Record<string, RunTool> = {};
  for (const [tool, proxy] of Object.entries(PROXIES))
    for (const [what, probe] of Object.entries(PROBES))
      tools[`${tool}: ${what}`] = ofDebian(proxy.name, async () => {
        if (!started.has(tool)) started.set(tool, start(proxy));
        return play((await started.get(tool)) ?? 0, probe);
      });
  tools['nginx of Debian 13'] = async () => {
    const program = await fetchNginx();
    const [, version = ''] = spawnSync(program, ['-v'], { encoding: 'utf8' }).stderr.trim().split('/');
    const [older, newer] = [await start(NGINX), await start({ ...NGINX, command: () => [program] })];
    const differing: string[] = [];
    for (const [what, probe] of Object.entries(PROBES)) {
      const did = await play(newer, probe);
      if (did !== (await play(older, probe))) differing.push(`${what}: ${did}`);
    }
    return { version, does: ['does each of these as the nginx of this machine', ...differing].join('; but ') };
  };
  try {
    return await runTable('In front of us', tools, only);
  } finally {
    for (const stop of stops) await stop();
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The program starts nginx with its own libraries, which are newer than those of this machine. */
async function fetchNginx(): Promise<string> {
  const folder = resolve('dist/.peers/nginx-13');
  const program = `${folder}/run`;
  if (existsSync(program)) return program;

  const names = 'nginx libc6 libcrypt1 libpcre2-8-0 libssl3t64 libzstd1 zlib1g'
    .split(' ')
    .map((name) => `${name}/trixie`);
  await run('sh', ['tools/machine/fetch-debs.sh', folder, ...names]).catch(() => {
    throw new NotThere('Debian has it');
  });
  const start = `exec "$lib"/ld-linux*.so.* --library-path "$lib" ${folder}/usr/sbin/nginx "$@"`;
  writeFileSync(program, `#!/bin/sh\nlib=$(echo ${folder}/usr/lib/*-linux-gnu*)\n${start}\n`, { mode: 0o755 });
  return program;
}

/**
 * A server whose answers are cut off, come after a hint, or do not come on a connection that it has just closed, or some
 * time before as it stops: what comes on a new connection is then answered by another one.
 */
async function startServer() {
  const asked: Asked[] = [];
  const answered = new WeakSet<Socket>();
  const stopping = new WeakSet<Socket>();
  const answer = async ({ method = '', url = '', headers, socket }: IncomingMessage, res: ServerResponse) => {
    asked.push({ method, url, headers: headers as Record<string, string> });
    const isReused = answered.has(socket);
    answered.add(socket);
    const [, kind = ''] = /^\/([a-z]+)/.exec(url) ?? [];
    const isStopping = stopping.has(socket);
    if (isStopping) res.setHeader('connection', 'close');
    if (kind === 'stop') stopping.add(socket);
    if ((kind === 'closed' && isReused) || (kind === 'late' && isStopping)) socket.destroy();
    else if (kind === 'counted' || kind === 'chunked') {
      res.writeHead(200, kind === 'counted' ? { 'content-length': 1000 } : {}).write('a'.repeat(500));
      await wait(100);
      res.destroy();
    } else if (kind === 'hinted') {
      res.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
      await wait(100);
      res.end('ok');
    } else if (kind === 'ranged') {
      const isPart = headers.range === 'bytes=0-9';
      if (isPart) res.writeHead(206, { 'content-range': 'bytes 0-9/1000', ...RANGED, 'content-length': 10 });
      else res.writeHead(200, { ...RANGED, 'content-length': 1000 });
      res.end('a'.repeat(isPart ? 10 : 1000));
    } else if (kind === 'long') res.writeHead(302, { location: `/?${'a'.repeat(LONG_ADDRESS)}` }).end();
    else if (kind === 'named') {
      res.setHeader('vary', ['Accept-Language', 'Accept-Encoding']);
      res.writeHead(200, KEPT).end();
    } else res.end('ok');
  };
  const server = createServer((req, res) => void answer(req, res));
  // Longer than any proxy here keeps one.
  server.keepAliveTimeout = 60_000;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send('hello'));
  return {
    asked,
    port: await listen(server),
    stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function startProxy({ file = '', command, added }: Proxy, folder: string, server: number) {
  const port = await freePort();
  const own = join(folder, file);
  const [program = '', ...args] = command(own, folder, port);
  if (file === '') return { port, ...(await startNginx(folder, port, [server], { program, workers: '1' })) };

  chmodSync(folder, 0o755);
  const written = readFileSync(programPath(file), 'utf8');
  writeFileSync(
    own,
    written.replaceAll('8080', String(port)).replaceAll('3001', String(server)) + (added?.(folder) ?? ''),
  );
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  const gone = once(child, 'exit');
  for (const until = Date.now() + START_TIMEOUT_MS; !(await isListening(port)); await wait(50))
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${program} did not start: ${said.slice(-500)}`);

  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

type Probe = (port: number, asked: Asked[]) => Promise<string>;

/** What is tried with each proxy, and what it did in words. */
const PROBES: Record<string, Probe> = {
  async 'who asks'(port, asked) {
    const headers = { 'x-forwarded-for': FORGED, 'x-forwarded-proto': 'https', host: 'site.example' };
    await ask(port, '/a%2Fb//c?d=%2f', { headers });
    const { url = '', headers: seen = {} } = asked[0] ?? {};
    const named = seen['x-forwarded-for']?.split(', ').at(-1);
    return [
      named === '127.0.0.1' ? 'names the visitor' : `names ${named ?? 'nobody'}`,
      seen['x-forwarded-proto'] === 'http'
        ? 'and the scheme'
        : `and the scheme ${seen['x-forwarded-proto'] ?? 'not'} that the visitor wrote`,
      ...(seen['host'] === 'site.example' ? [] : [`writes the host ${seen['host'] ?? ''}`]),
      ...(url === '/a%2Fb//c?d=%2f' ? [] : [`writes the address ${url}`]),
    ].join(' ');
  },
  async 'an answer that breaks off'(port) {
    const ends = await Promise.all(['counted', 'chunked'].map((kind) => ask(port, `/${kind}`)));
    const [counted, chunked] = ends.map(({ isWhole }) => (isWhole ? 'whole' : 'broken off'));
    return counted === chunked ? `${counted}` : `${counted} with a length, ${chunked} without`;
  },
  async '103 before an answer'(port) {
    const { status, hints, text } = await ask(port, '/hinted');
    if (status === 200 && text === 'ok') return hints === 1 ? 'hands it on' : 'leaves it out';
    return (status === 0 && hints === 1 ? 'hands it on and ' : '') + tellFailure(status);
  },
  async 'a long address'(port) {
    const { status } = await ask(port, '/long');
    return status === 302 ? 'hands it on' : tellFailure(status);
  },
  async 'two lines of Vary'(port, asked) {
    const languages = ['de', 'de', 'de', 'fr'];
    for (const language of languages) await ask(port, '/named', { headers: { 'accept-language': language } });
    const got = asked.map(({ headers }) => headers['accept-language']);
    if (got.length === languages.length) return 'keeps nothing';
    return got.includes('fr') ? 'keeps an answer for each language' : 'gives one language to all';
  },
  async 'an answer that names no time to keep it'(port, asked) {
    const paths = ['/silent', '/silent', '/silent'];
    for (const path of paths) await ask(port, path);
    return asked.length === paths.length ? 'keeps nothing' : 'keeps it';
  },
  async 'a part of a file'(port, asked) {
    const told: string[] = [];
    for (const path of ['/ranged', '/ranged', '/ranged']) {
      const { status, text } = await ask(port, path, { headers: { range: 'bytes=0-9' } });
      told.push(
        status === 206 && text.length === 10 ? 'gives the part' : `answers ${status} with ${text.length} bytes`,
      );
    }
    const isOfServer = asked.length === told.length && asked.every(({ headers }) => headers['range']);
    return [...new Set(told), isOfServer ? 'of the server' : 'of what it keeps'].join(' ');
  },
  'a GET that meets a closed connection': (port, asked) => meetClosed(port, asked, 'GET'),
  'a POST that meets a closed connection': (port, asked) => meetClosed(port, asked, 'POST'),
  async 'a server that stops'(port) {
    const meet = async (agent?: Agent) => {
      const ends: string[] = [];
      for (const [kind, pause] of [
        ['early', 0],
        ['late', STOPPING_MS],
      ] as const) {
        await ask(port, '/stop', { agent });
        await wait(pause);
        const { status } = await ask(port, `/${kind}`, { method: 'POST', agent });
        ends.push(status === 200 ? 'has a POST answered' : tellFailure(status));
      }
      return ends[0] === ends[1] ? `${ends[0]}` : `${ends[0]} at first, ${ends[1]} later`;
    };
    return meetTwice(meet);
  },
  async 'an upgrade'(port) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    socket.on('error', () => undefined);
    const late = new AbortController();
    const said = await Promise.race([
      once(socket, 'message').then(([data]) => String(data)),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => `answers ${(statusCode as number) ?? 0}`),
      wait(HELLO_TIMEOUT_MS, 'says nothing', late),
    ]);
    late.abort();
    socket.terminate();
    return said === 'hello' ? 'opens the socket' : said;
  },
};

/** A request meets a server that has just closed the connection on which it comes. */
function meetClosed(port: number, asked: Asked[], method: string): Promise<string> {
  return meetTwice(async (agent) => {
    await ask(port, '/', { agent });
    asked.length = 0;
    const { status } = await ask(port, '/closed', { method, agent });
    if (status === 200) return asked.length > 1 ? 'asks again' : 'asks on another connection';
    return tellFailure(status);
  });
}

/** Has a client meet something that keeps its connection, and one that does not. */
async function meetTwice(meet: (agent?: Agent) => Promise<string>): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [later, first] = [await meet(agent), await meet()];
  agent.destroy();
  return first === later ? first : `${first}; to a later request of a connection: ${later}`;
}

const tellFailure = (status: number) => (status === 0 ? 'closes without an answer' : `answers ${status}`);

interface Request {
  method?: string;
  headers?: Record<string, string>;
  agent?: Agent | undefined;
}

/** Asks as a client that sees how an answer ends. Its status is 0 where none came. */
async function ask(port: number, path: string, { method = 'GET', headers = {}, agent }: Request = {}) {
  let [hints, status, text, isWhole] = [0, 0, '', false];
  const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: agent ?? false });
  asking.on('information', () => (hints += 1));
  asking.end(method === 'POST' ? 'x' : undefined);
  try {
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    status = answer.statusCode ?? 0;
    for await (const chunk of answer) text += String(chunk);
    isWhole = answer.complete;
  } catch {
    // What came until then says enough.
  }
  return { hints, status, text, isWhole };
}
