import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { startNginx } from '../cluster/nginx.ts';
import { freePort } from '../machine/free-port.ts';
import { isListening } from '../machine/postgres.ts';
import { ofDebian, programPath } from './programs.ts';
import { runTable, type RunTool } from './run.ts';

const START_TIMEOUT_MS = 60_000;
const HELLO_TIMEOUT_MS = 5000;
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

const PROXIES: Record<string, Proxy> = {
  nginx: { name: 'nginx', command: () => [] },
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
      ...VARNISH_PARAMETERS.flatMap((each) => ['-p', each]),
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

/** They stand on its command line alone, so docs/compatibility.md has them as well. */
const VARNISH_PARAMETERS = [
  ...['backend_idle_timeout=1', 'http_resp_hdr_len=32k', 'http_resp_size=64k'],
  ...['workspace_backend=128k', 'workspace_client=128k'],
];

interface Asked {
  method: string;
  headers: Record<string, string>;
  url: string;
}

/**
 * Puts proxies in front of a server that does what one of ours does in rare moments.
 * @param only rows of the table; by default all
 * @returns whether each proxy does what docs/compatibility.md says
 */
export async function runProxies(only?: string[]): Promise<boolean> {
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
  const tools = Object.entries(PROXIES).flatMap(([tool, proxy]) =>
    Object.entries(PROBES).map(([what, probe]): [string, RunTool] => [
      `${tool}: ${what}`,
      ofDebian(proxy.name, async () => {
        if (!started.has(tool)) started.set(tool, start(proxy));
        const port = (await started.get(tool)) ?? 0;
        server.asked.length = 0;
        return probe(port, server.asked);
      }),
    ]),
  );
  try {
    return await runTable('In front of us', Object.fromEntries(tools), only);
  } finally {
    for (const stop of stops) await stop();
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** A server whose answers are cut off, come after a hint, or do not come on a connection that it has just closed. */
async function startServer() {
  const asked: Asked[] = [];
  const answered = new WeakSet<Socket>();
  const answer = async ({ method = '', url = '', headers, socket }: IncomingMessage, res: ServerResponse) => {
    asked.push({ method, url, headers: headers as Record<string, string> });
    const isReused = answered.has(socket);
    answered.add(socket);
    const [, kind = ''] = /^\/([a-z]+)/.exec(url) ?? [];
    if (kind === 'closed' && isReused) socket.destroy();
    else if (kind === 'counted' || kind === 'chunked') {
      res.writeHead(200, kind === 'counted' ? { 'content-length': 1000 } : {}).write('a'.repeat(500));
      await wait(100);
      res.destroy();
    } else if (kind === 'hinted') {
      res.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
      await wait(100);
      res.end('ok');
    } else if (kind === 'long') res.writeHead(302, { location: `/?${'a'.repeat(LONG_ADDRESS)}` }).end();
    else if (kind === 'named') {
      res.setHeader('vary', ['Accept-Encoding', 'Accept-Language']);
      res.setHeader('x-accel-expires', '10').setHeader('cache-control', 'public, max-age=10').end();
    } else res.end('ok');
  };
  const server = createServer((req, res) => void answer(req, res));
  // Longer than any proxy here keeps one.
  server.keepAliveTimeout = 60_000;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send('hello'));
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    asked,
    port: (server.address() as AddressInfo).port,
    stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function startProxy({ file, command, added }: Proxy, folder: string, server: number) {
  const port = await freePort();
  if (file === undefined) return { port, ...(await startNginx(folder, port, [server])) };

  chmodSync(folder, 0o755);
  const own = join(folder, file);
  const written = readFileSync(programPath(file), 'utf8');
  writeFileSync(
    own,
    written.replaceAll('8080', String(port)).replaceAll('3001', String(server)) + (added?.(folder) ?? ''),
  );
  const [program = '', ...args] = command(own, folder, port);
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
    return status === 0 ? `${hints === 1 ? 'hands it on and ' : ''}closes without an answer` : `answers ${status}`;
  },
  async 'a long address'(port) {
    const { status } = await ask(port, '/long');
    return status === 302 ? 'hands it on' : `answers ${status}`;
  },
  async 'two lines of Vary'(port, asked) {
    const languages = ['de', 'de', 'de', 'fr'];
    for (const language of languages) await ask(port, '/named', { headers: { 'accept-language': language } });
    const got = asked.map(({ headers }) => headers['accept-language']);
    if (got.length === languages.length) return 'keeps nothing';
    return got.includes('fr') ? 'keeps an answer for each language' : 'gives one language to all';
  },
  'a GET that meets a closed connection': (port, asked) => meetClosed(port, asked, 'GET'),
  'a POST that meets a closed connection': (port, asked) => meetClosed(port, asked, 'POST'),
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
async function meetClosed(port: number, asked: Asked[], method: string): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const meet = async (agent?: Agent) => {
    await ask(port, '/', { agent });
    asked.length = 0;
    const { status } = await ask(port, '/closed', { method, agent });
    if (status === 200) return asked.length > 1 ? 'asks again' : 'asks on another connection';
    return status === 0 ? 'closes without an answer' : `answers ${status}`;
  };
  const [later, first] = [await meet(agent), await meet()];
  agent.destroy();
  return first === later ? first : `${first}; to a later request of a connection: ${later}`;
}

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
