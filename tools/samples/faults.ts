import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Random } from '../attack/world/random.ts';

/** Something that happens to an answer on its way, or that a server answers. */
type FaultHandler = (res: ServerResponse, body: string) => unknown;

/** A call, and what came of it. */
export interface Call {
  path: string;
  /** "answered", "forged", "given up" by a client that did not wait, or the name of a fault. */
  outcome: string;
  /** What a client may say that it waits for. */
  reasons: readonly string[];
  /** The body of a forged answer. */
  forged?: string;
  retryAfter?: string;
  at: number;
}

const HTML_BODY = '<!doctype html><title>Log in</title><p>Welcome to our network.';
const RETRY_AFTER_VALUES = ['-5', 'NaN', '1e9', '99999999999', '', '0', 'soon', '7.5', '120', '3600', '0x10'];

const send =
  (status: number, body: string, headers: Record<string, string> = {}): FaultHandler =>
  (res) =>
    res
      .setHeaders(new Map(Object.entries({ 'content-type': 'application/json', ...headers })))
      .writeHead(status)
      .end(body);

const problem = (fields: object) =>
  JSON.stringify({ type: 'https://example.com/errors', title: 'A problem', status: 400, now: 1, ...fields });

/** An answer with one of its fields changed. */
const changed =
  (fields: () => object): FaultHandler =>
  (res, body) =>
    send(200, JSON.stringify({ ...(JSON.parse(body) as object), ...fields() }))(res, body);

/** All that no client may believe, die of, or take for a reason to give up, by what it is to wait for. */
function listFaults(random: Random, lateMs: number): Record<string, Record<string, FaultHandler>> {
  const part = (body: string) => body.slice(0, random.int(body.length));
  const date = () => new Date(Date.now() + (random.int(400) - 100) * 1000).toUTCString();
  return {
    network: {
      reset: (res) => res.socket?.resetAndDestroy(),
      'hang up': (res) => res.socket?.end(),
      'no HTTP': (res) => res.socket?.end('220 mail.example.com ESMTP\r\n'),
      late: (res) => setTimeout(() => res.destroy(), lateMs),
    },
    // Some libraries find these out only when they read the body, and some read what came of it.
    'network answer': {
      'a body cut short'(res, body) {
        if (random.int(2) === 0) res.setHeader('content-length', Buffer.byteLength(body));
        res.write(part(body), () => res.socket?.destroy());
      },
      'a body that never ends'(res) {
        const more = () => void (res.writable && res.write(' '.repeat(65_536)) ? setImmediate(more) : res.destroy());
        more();
      },
      'false compression': send(200, 'not compressed', { 'content-encoding': 'gzip' }),
    },
    server: {
      'a bad gateway': send(502, HTML_BODY, { 'content-type': 'text/html' }),
      'an error of the server': send(500, problem({ status: 500, code: 'server.unexpected' })),
    },
    busy: {
      'away until a date': (res, body) => send(503, '{}', { 'retry-after': date() })(res, body),
      'away until an odd time': (res, body) =>
        send(429, '{}', { 'retry-after': random.pick(RETRY_AFTER_VALUES) })(res, body),
    },
    answer: {
      'half of a body': (res, body) => send(200, part(body))(res, body),
      'a portal': send(200, HTML_BODY, { 'content-type': 'text/html' }),
      'a portal that redirects': send(302, '', { location: '/portal' }),
      'a portal in JSON': (res, body) =>
        send(200, random.pick(['{"ok":true}', '[]', 'null', '"x"', '5', '', '{}', '\ufeff{}']))(res, body),
      'nested JSON': send(200, '['.repeat(30_000)),
      'broken text': (res) => res.end(Buffer.from('7b22737461747573223a22ff', 'hex')),
      'no content': send(204, ''),
      'no such page': send(404, HTML_BODY, { 'content-type': 'text/html' }),
      'an odd code': (res, body) => send(400, problem({ code: random.pick(['', 'KS_NEW', ['KS_HWID']]) }))(res, body),
      'an odd status': changed(() => ({ status: random.pick(['paused', null, 5, {}, []]), code: 5 })),
      'an odd reason': changed(() => ({ status: 'none', reason: 'device', code: [] })),
      'an odd time': changed(() => ({ now: random.pick([null, 'soon', -5, 0, {}]) })),
      'no app': changed(() => ({ app: null })),
    },
  };
}

/**
 * A server on the way to which everything happens that can happen.
 * @param answer gives the true answer
 * @param forge gives answers that look like those of the server, and which a client must not believe
 * @param lateMs how long a late answer takes
 */
export async function openFaultyServer({
  random,
  answer,
  forge,
  lateMs,
}: {
  random: Random;
  answer: (path: string, body: string) => string;
  forge: (path: string, body: string) => string[];
  lateMs: number;
}) {
  const faults = Object.entries(listFaults(random, lateMs)).flatMap(([reasons, of]) =>
    Object.entries(of).map(([name, happen]) => ({ name, happen, reasons: reasons.split(' ') })),
  );
  const calls: Call[] = [];
  let port = anyPort();

  const server = createServer((req, res) => {
    const path = new URL(req.url ?? '', 'http://localhost').pathname;
    void text(req).then(
      (body) => (path === '/portal' ? res.end(HTML_BODY) : reply(path, body, res)),
      () => res.destroy(),
    );
  });

  function reply(path: string, asked: string, res: ServerResponse): void {
    const body = answer(path, asked);
    const isWild = faulty.isWild && random.int(4) > 0;
    const forged = isWild && random.int(5) === 0 ? random.pick(forge(path, asked)) : undefined;
    const fault = isWild && forged === undefined ? random.pick(faults) : undefined;
    const isGone = res.destroyed || res.socket?.destroyed !== false;
    calls.push({
      path,
      outcome: isGone ? 'given up' : (fault?.name ?? (forged === undefined ? 'answered' : 'forged')),
      reasons: isGone ? ['network'] : (fault?.reasons ?? [forged === undefined ? 'steps' : 'answer']),
      ...(forged !== undefined && { forged }),
      at: Date.now(),
    });
    (fault?.happen ?? send(200, forged ?? body))(res, body);
    const retryAfter = res.getHeader('retry-after');
    if (typeof retryAfter === 'string') Object.assign(calls.at(-1) ?? {}, { retryAfter });
  }

  const faulty = {
    calls,
    /** While it is false, every call is answered. */
    isWild: true,
    origin: () => `http://127.0.0.1:${port}`,

    /** Refuses connections until it comes back. */
    async goAway(): Promise<void> {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },

    async comeBack(): Promise<void> {
      for (let tries = 1; !server.listening; tries += 1)
        try {
          await once(server.listen(port, '127.0.0.1'), 'listening');
        } catch (error) {
          if (tries > 50) throw error;
          if (calls.length === 0) port = anyPort();
        }
    },
  };
  await faulty.comeBack();
  return faulty;
}

/** Ports from 32768 on are given to connections that go out: one of them could be taken while the server is away. */
function anyPort(): number {
  return 20_000 + Math.floor(Math.random() * 12_000);
}
