import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { isSameSecret } from '#api/foundation/crypto/secrets.ts';
import { signJws } from '#api/foundation/crypto/jws.ts';
import type { SigningKey } from '#api/foundation/crypto/signing-key.ts';
import { MAX_FRAME_BYTES, TOO_MANY_REQUESTS } from '#api/foundation/crypto/socket-signer.ts';
import { ANCHOR_TYPE } from '#api/foundation/audit/anchor.ts';
import { VERDICT_TYPE } from '#api/product/keys/verdict-token.ts';
import { checkClaims, type CheckedClaims } from './check-claims.ts';

/** How long a connection may take for its one request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 2000;
const MAX_CONNECTIONS = 256;

interface SignerServerDeps {
  /** Every request has to name it: access to the socket alone is no permission to sign. */
  secret: string;
  keys: readonly SigningKey[];
  /** The only site that keys are signed for; undefined: any. */
  issuer: string | undefined;
  /** How many requests are served within a second, and as many for verdicts; more are refused. */
  maxPerSecond: number;
  log: Pick<Logger, 'info' | 'warn'>;
  now: () => number;
}

/**
 * Creates the server that signs. Each connection has one request, a line of JSON with `secret`, `kid`, `typ` and `claims`, and
 * gets one line: `jws`, or `refused` with the reason. There is no other call, so no caller can get a private key.
 */
export function createSignerServer({ secret, keys, issuer, maxPerSecond, log, now }: SignerServerDeps): Server {
  const makeRate = (of: string) =>
    createRate(maxPerSecond, now, () => log.warn({ of, maxPerSecond }, TOO_MANY_REQUESTS));
  // Anybody can ask for verdicts. They have a rate of their own, so that runs still get their keys.
  const rates = { verdicts: makeRate('verdicts'), others: makeRate('keys and anchors') };

  /** The first anchor of each day that was asked for. */
  const anchors = new Map<string, string>();

  /** Whether no other anchor of this day was asked for. Two different ones would vouch for two pasts. */
  function isOnly(day: string, claims: unknown): boolean {
    const { first_seq, last_seq, last_hash } = claims as Record<string, unknown>;
    const text = JSON.stringify([first_seq, last_seq, last_hash]);
    const known = anchors.get(day) ?? text;
    anchors.set(day, known);
    return known === text;
  }

  function check(typ: unknown, claims: unknown): CheckedClaims {
    const checked = checkClaims(typ, claims, { issuer, now: now() });
    if ('refused' in checked || typ !== ANCHOR_TYPE || isOnly(checked.id, claims)) return checked;
    return { refused: 'another anchor of this day was signed' };
  }

  function answer(line: string): { jws: string } | { refused: string } {
    const { secret: given, kid, typ, claims } = parse(line);
    // Before the rate, which only counts requests with the secret.
    if (!isSameSecret(String(given), secret)) {
      log.warn({ reason: 'another secret' }, 'refused');
      return { refused: 'another secret (SIGNER_SECRET)' };
    }
    const isWithinRate = typ === VERDICT_TYPE ? rates.verdicts : rates.others;
    if (!isWithinRate()) return { refused: TOO_MANY_REQUESTS };

    const key = keys.find((held) => held.kid === kid);
    const checked = key ? check(typ, claims) : { refused: 'the key is not held here' };
    if (key && !('refused' in checked)) {
      log.info({ typ, kid, ...checked }, 'signed');
      return { jws: signJws(key, typ as string, claims as object) };
    }
    const { refused } = checked as { refused: string };
    log.warn({ reason: refused }, 'refused');
    return { refused };
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => readLine(socket, answer));
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** Reads one line, answers it and closes the connection; without a whole line in time it gives no answer. */
function readLine(socket: Socket, answer: (line: string) => object): void {
  const timer = setTimeout(() => socket.destroy(), REQUEST_TIMEOUT_MS);
  let line = '';
  const onData = (part: string) => {
    line += part;
    if (line.length > MAX_FRAME_BYTES) return void socket.destroy();
    if (!line.includes('\n')) return;

    socket.off('data', onData).resume();
    socket.end(`${JSON.stringify(answer(line))}\n`);
  };
  socket.setEncoding('utf8').on('data', onData);
  // The client has closed its half. An answer that is under way is still sent.
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

/** Counts requests within each second of the clock. `warn` is called once in a second that has too many. */
function createRate(max: number, now: () => number, warn: () => void): () => boolean {
  let second = 0;
  let count = 0;
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, count] = [current, 0];
    count += 1;
    if (count === max + 1) warn();
    return count <= max;
  };
}
