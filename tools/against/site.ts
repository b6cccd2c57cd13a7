import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const ENCODINGS = ['br', 'gzip'];

const HOP_BY_HOP_HEADERS = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'expect'];

/** A site that is asked in place of the browser. */
export interface Site {
  origin: string;
  /** Passes a request on. Resolves with the answer, whose body is still to come. */
  ask: (req: IncomingMessage, path: string) => Promise<IncomingMessage>;
  /** Passes an upgrade to a WebSocket on, and then all that both sides say. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  headersOf: (answer: IncomingMessage) => OutgoingHttpHeaders;
  close: () => void;
}

/**
 * Opens a site.
 * @param origin such as `https://example.com`
 * @param ownOrigin the origin at which the browser asks
 */
export function openSite(origin: string, ownOrigin: () => string): Site {
  const { host, protocol } = new URL(origin);
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });

  const send = (req: IncomingMessage, path: string, headers: OutgoingHttpHeaders) =>
    (isSecure ? requestSecurely : request)(new URL(origin), { agent, path, method: req.method, headers });

  /** The site sees its own names in place of ours: it refuses requests that another site has caused. */
  function headersFor({ headers }: IncomingMessage): OutgoingHttpHeaders {
    const { referer, origin: asked, 'accept-encoding': encodings } = headers;
    const known = ENCODINGS.filter((name) => encodings?.includes(name)).join(', ');
    return {
      ...withoutConnection(headers),
      host,
      'accept-encoding': known || 'identity',
      ...(asked === ownOrigin() && { origin }),
      ...(referer?.startsWith(`${ownOrigin()}/`) && { referer: origin + referer.slice(ownOrigin().length) }),
    };
  }

  return {
    origin,

    ask: (req, path) =>
      new Promise((resolve, reject) => {
        const { 'transfer-encoding': chunks } = req.headers;
        const sent = send(req, path, { ...headersFor(req), ...(chunks && { 'transfer-encoding': chunks }) });
        sent.once('response', resolve).once('error', reject);
        pipeline(req, sent).catch(reject);
      }),

    upgrade(req, socket, head) {
      const { connection, upgrade } = req.headers;
      const sent = send(req, req.url ?? '/', { ...headersFor(req), connection, upgrade });
      const giveUp = () => socket.destroy();
      sent.on('error', giveUp).once('response', giveUp);
      sent.once('upgrade', (answer: IncomingMessage, upstream: Duplex, first: Buffer) => {
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${linesOf(answer.rawHeaders)}\r\n`);
        socket.write(first);
        upstream.write(head);
        pipeline(socket, upstream, socket).catch(() => undefined);
      });
      // A reset connection without this listener would end the process.
      socket.on('error', giveUp).once('close', () => sent.destroy());
      sent.end();
    },

    headersOf({ headers }) {
      const { location, 'set-cookie': cookies } = headers;
      const policy = headers['content-security-policy']?.toString();
      return {
        ...withoutConnection(headers),
        ...(location && isBelow(location) && { location: ownOrigin() + location.slice(origin.length) }),
        ...(cookies && { 'set-cookie': cookies.map(withoutDomain) }),
        ...(policy && { 'content-security-policy': policy.replaceAll(/\bwss?:\/\/[^\s;]+/g, toOwnSocket) }),
      };
    },

    close: () => agent.destroy(),
  };

  /** Whether an address is of the site, and not of a host whose name only begins as the site's does. */
  function isBelow(address: string): boolean {
    return address.startsWith(origin) && /^([/?#]|$)/.test(address.slice(origin.length));
  }

  function toOwnSocket(source: string): string {
    return new URL(source).host === host ? ownOrigin().replace('http', 'ws') : source;
  }
}

/** The site's cookies are kept for this machine. `Secure` stays: browsers count `http://localhost` as secure. */
function withoutDomain(cookie: string): string {
  return cookie.replace(/;\s*domain=[^;]*/i, '');
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name)));
}

function linesOf(rawHeaders: readonly string[]): string {
  return rawHeaders.map((text, at) => text + (at % 2 === 0 ? ': ' : '\r\n')).join('');
}
