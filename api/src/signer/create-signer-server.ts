import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { signJws } from '#api/crypto/sign-jws.ts';
import type { SigningKey } from '#api/crypto/signing-key.ts';
import { LONGEST_FRAME } from '#api/crypto/socket-signer.ts';
import { checkClaims } from './check-claims.ts';

/** How long a connection may take for its one request, in milliseconds. */
const REQUEST_MS = 2000;
const MOST_CONNECTIONS = 256;

interface SignerServerDeps {
  /** The keys that sign what asks for them by their `kid`. */
  keys: readonly SigningKey[];
  /** The only site that keys are signed for; undefined: any. */
  issuer: string | undefined;
  /** How many requests are served within a second; more are refused. */
  maxPerSecond: number;
  log: Pick<Logger, 'info' | 'warn'>;
  now: () => number;
}

/**
 * Creates the server that signs. Each connection has one request, a line of JSON with `kid`, `typ` and `claims`, and
 * gets one line: `jws`, or `refused` with the reason. There is no other call, so no caller can get a private key.
 */
export function createSignerServer({ keys, issuer, maxPerSecond, log, now }: SignerServerDeps): Server {
  const isWithinRate = createRate(maxPerSecond, now, () => log.warn({ maxPerSecond }, 'too many requests'));

  function answer(line: string): { jws: string } | { refused: string } {
    if (!isWithinRate()) return { refused: 'too many requests' };

    const { kid, typ, claims } = parse(line);
    const key = keys.find((held) => held.kid === kid);
    const checked = key ? checkClaims(typ, claims, { issuer, now: now() }) : { refused: 'the key is not held here' };
    if (!key || 'refused' in checked) {
      const { refused } = checked as { refused: string };
      log.warn({ reason: refused }, 'refused');
      return { refused };
    }
    log.info({ typ, kid, id: checked.id }, 'signed');
    return { jws: signJws(key, typ as string, claims as object) };
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => readLine(socket, answer));
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

/** Reads one line, answers it, and hangs up. Without a whole line in time it hangs up without an answer. */
function readLine(socket: Socket, answer: (line: string) => object): void {
  const timer = setTimeout(() => socket.destroy(), REQUEST_MS);
  let line = '';
  const onData = (part: string) => {
    line += part;
    if (line.length > LONGEST_FRAME) return void socket.destroy();
    if (!line.includes('\n')) return;

    socket.off('data', onData).resume();
    socket.end(`${JSON.stringify(answer(line))}\n`);
  };
  socket.setEncoding('utf8').on('data', onData);
  // Half-closed before its line was whole. What was answered is sent before the end.
  socket.on('end', () => socket.end());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(timer));
}

function parse(line: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(line);
    return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Counts requests within each second of the clock. `tell` is called once in a second that has too many. */
function createRate(max: number, now: () => number, tell: () => void): () => boolean {
  let second = 0;
  let count = 0;
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, count] = [current, 0];
    count += 1;
    if (count === max + 1) tell();
    return count <= max;
  };
}
