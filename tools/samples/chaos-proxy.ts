import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Random } from '../attack/world/random.ts';

/** Something that can happen to a call on its way, or that a server can answer. */
type Mishap = (res: ServerResponse, genuine: Answer) => void;

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface ChaosProxy {
  origin: string;
  /** While it is false, every call reaches the server. */
  isWild: boolean;
  /**
   * What came of each call, in order: "answered", "given up" by a client that did not wait, or the name of a mishap or of
   * something forged, with its body; when, and its Retry-After.
   */
  fates: { path: string; fate: string; forged?: string; at: number; retryAfter?: string }[];
  /** Refuses connections until it comes back. */
  goAway: () => Promise<void>;
  comeBack: () => Promise<void>;
  close: () => Promise<void>;
}

interface Chaos {
  random: Random;
  /** The server. */
  answer: (method: string, url: URL, body: string) => Answer | Promise<Answer>;
  /** Answers that look like those of the server, and which a client must not believe. Their names are fates. */
  forge: (path: string, genuine: Answer, body: string) => { name: string; body: string }[];
  /** How long a late answer takes. */
  lateMs: number;
}

const HTML = '<!doctype html><title>Log in</title><p>Welcome to our network.';

const RETRY_AFTER = ['-5', 'NaN', '1e9', '99999999999', '', '0', 'soon', '7.5', '120', '3600', '0x10'];

const odd = (status: number, body: string, headers: Record<string, string> = {}): Mishap => {
  return (res) => {
    const all = { 'content-type': 'application/json', ...headers };
    void res
      .setHeaders(new Map(Object.entries(all)))
      .writeHead(status)
      .end(body);
  };
};

const problem = (fields: object) =>
  JSON.stringify({ type: 'https://example.com/errors', title: 'A problem', status: 400, now: 1, ...fields });

/** An answer with one of its fields changed. */
const changed = (fields: (genuine: Record<string, unknown>) => object): Mishap => {
  return (res, { status, body }) => {
    const genuine = JSON.parse(body) as Record<string, unknown>;
    odd(status, JSON.stringify({ ...genuine, ...fields(genuine) }))(res, { status, body, headers: {} });
  };
};

/** All that no client may believe, die of, or take for a reason to give up. */
function mishaps(random: Random, lateMs: number): Record<string, Mishap> {
  const away = (seconds: number) => ({ 'retry-after': new Date(Date.now() + seconds * 1000).toUTCString() });
  return {
    reset: (res) => res.socket?.resetAndDestroy(),
    'hang up': (res) => void res.socket?.end(),
    'no HTTP': (res) => void res.socket?.end('220 mail.example.com ESMTP\r\n'),
    'a body cut short': (res, { body }) => {
      res.writeHead(200, { 'content-length': Buffer.byteLength(body) });
      res.write(body.slice(0, random.int(body.length)), () => res.socket?.destroy());
    },
    'chunks cut short': (res, { body }) => {
      res.writeHead(200);
      res.write(body.slice(0, random.int(body.length)), () => res.socket?.destroy());
    },
    'half of a body': (res, genuine) => odd(200, genuine.body.slice(0, random.int(genuine.body.length)))(res, genuine),
    'a body that never ends': (res) => {
      const more = () => void (res.writable && res.write(' '.repeat(65_536)) ? setImmediate(more) : res.destroy());
      res.writeHead(200, { 'content-type': 'application/json' });
      more();
    },
    'a portal': odd(200, HTML, { 'content-type': 'text/html' }),
    'a portal that redirects': odd(302, '', { location: '/portal' }),
    'a portal in JSON': (res, genuine) =>
      odd(200, random.pick(['{"ok":true}', '[]', 'null', '"x"', '5', '', '{}', '\ufeff{}']))(res, genuine),
    'nested JSON': odd(200, '['.repeat(30_000)),
    'broken text': (res) => void res.writeHead(200).end(Buffer.from('7b22737461747573223a22ff fe80227d', 'hex')),
    'false compression': odd(200, 'not compressed', { 'content-encoding': 'gzip' }),
    'no content': (res) => void res.writeHead(204).end(),
    'no such page': odd(404, HTML, { 'content-type': 'text/html' }),
    'a bad gateway': odd(502, HTML, { 'content-type': 'text/html' }),
    'an error of the server': odd(500, problem({ status: 500, code: 'server.unexpected' })),
    'away until a date': (res, genuine) => odd(503, '{}', away(random.int(400) - 100))(res, genuine),
    'away until an odd time': (res, genuine) =>
      odd(429, '{}', { 'retry-after': random.pick(RETRY_AFTER) })(res, genuine),
    'an empty code': odd(400, problem({ code: '' })),
    'a new code': odd(403, problem({ status: 403, code: 'KS_NEW' })),
    'a code that is none': odd(400, problem({ code: ['KS_HWID'] })),
    'a new status': changed(() => ({ status: 'paused', code: 5 })),
    'a new reason': changed(() => ({ status: 'none', reason: 'device', code: [] })),
    'a status that is none': changed(() => ({ status: random.pick([null, 5, {}, []]), code: null })),
    'an odd time': changed(() => ({ now: random.pick([null, 'soon', -5, 0, {}]) })),
    'no app': changed(() => ({ app: null })),
    late: (res) => void setTimeout(() => res.destroy(), lateMs),
  };
}

/** A proxy on the way to a server, on which everything happens that can happen. */
export async function startChaosProxy({ random, answer, forge, lateMs }: Chaos): Promise<ChaosProxy> {
  const all = mishaps(random, lateMs);
  const names = Object.keys(all);
  const fates: ChaosProxy['fates'] = [];
  let port = anyPort();

  const server = createServer((req, res) => {
    void pass(req, res).catch(() => res.destroy());
  });

  async function pass(req: IncomingMessage, res: ServerResponse) {
    const url = new URL(req.url ?? '', proxy.origin);
    if (url.pathname === '/portal') return void res.writeHead(200).end(HTML);

    const body = await text(req);
    const genuine = await answer(req.method ?? 'GET', url, body);
    const happen = (fate: string, instead?: string) => {
      const told = res.destroyed || res.socket?.destroyed !== false ? 'given up' : fate;
      fates.push({ path: url.pathname, fate: told, ...(instead && { forged: instead }), at: Date.now() });
    };
    const isWild = proxy.isWild && random.int(4) > 0;
    const forged = isWild && random.int(5) === 0 ? forge(url.pathname, genuine, body) : [];
    if (forged.length > 0) {
      const { name, body: instead } = random.pick(forged);
      happen(name, instead);
      return void res.writeHead(genuine.status, genuine.headers).end(instead);
    }
    if (isWild) {
      const name = random.pick(names);
      happen(name);
      all[name]?.(res, genuine);
      const retryAfter = res.getHeader('retry-after');
      if (retryAfter !== undefined) Object.assign(fates.at(-1) ?? {}, { retryAfter });
      return;
    }
    happen('answered');
    res.writeHead(genuine.status, genuine.headers).end(genuine.body);
  }

  const open = async () => {
    for (let tries = 1; !server.listening; tries += 1) {
      try {
        server.listen(port, '127.0.0.1');
        await once(server, 'listening');
      } catch (error) {
        if (tries > 50) throw error;
        if (proxy.origin === '') port = anyPort();
      }
    }
  };
  const goAway = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  const proxy: ChaosProxy = { origin: '', isWild: true, fates, goAway, comeBack: open, close: goAway };
  await open();
  proxy.origin = `http://127.0.0.1:${port}`;
  return proxy;
}

/** Ports from 32768 on are given to connections that go out: one of them could be taken while the proxy is away. */
function anyPort(): number {
  return 20_000 + Math.floor(Math.random() * 12_000);
}
