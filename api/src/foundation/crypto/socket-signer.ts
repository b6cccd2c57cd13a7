import { connect } from 'node:net';
import pLimit from 'p-limit';
import { encodeSigned, readJws } from './jws.ts';
import { type NamedKey, type Signer, SignerBusy, SignerUnavailable } from './signing-key.ts';

/**
 * The longest request and answer of the signer, in bytes. Each is one line of JSON: `{"secret","kid","typ","claims"}`, and
 * `{"jws"}` or `{"refused"}`. A connection carries one of each.
 */
export const MAX_FRAME_BYTES = 4096;

/** What the signer says of a request above its rate. */
export const TOO_MANY_REQUESTS = 'too many requests';

/** How long to wait for a turn, and then for a signature, in milliseconds. One takes about a millisecond. */
const ANSWER_TIMEOUT_MS = 1000;
/** How long the signer is not asked again after it did not answer, in milliseconds. */
const RETRY_INTERVAL_MS = 1000;
/** How many requests of one type are with the signer at once. Its connections have to suffice for all servers and types. */
const MAX_CONCURRENT_REQUESTS = 16;

/**
 * Makes a signer of another process, which listens on a UNIX socket and alone has the private key. Each type has its own line
 * and its own pause, because anybody can ask for verdicts: a flood of them must not stop keys.
 * @param key each signature is checked with it
 * @param secret that process refuses requests without it
 */
export function createSocketSigner(key: NamedKey, path: string, secret: string): Signer {
  const queues = new Map<string, ReturnType<typeof createQueue>>();

  return {
    ...key,
    async sign(typ, claims) {
      const { kid, publicJwk } = key;
      const enqueue = queues.get(typ) ?? createQueue();
      queues.set(typ, enqueue);
      const answer = await enqueue(() => sendRequest(path, JSON.stringify({ secret, kid, typ, claims })));
      const { jws, refused } = parseAnswer(answer);
      if (refused === TOO_MANY_REQUESTS) throw new SignerBusy('The signer has too many requests.');
      if (typeof jws !== 'string')
        throw new SignerUnavailable(`The signer refused to sign: ${typeof refused === 'string' ? refused : 'garbage'}`);
      if (!jws.startsWith(`${encodeSigned(kid, typ, claims)}.`) || readJws(jws, typ, [publicJwk]).code !== 'SIGNED')
        throw new SignerUnavailable(`The signer has signed something else, or with another key than ${kid}.`);
      return jws;
    },
  };
}

/** Lets a few requests at a time through, and none for a moment after one of them has failed. */
function createQueue() {
  const limit = pLimit(MAX_CONCURRENT_REQUESTS);
  let pausedUntil = -Infinity;
  const checkPause = () => {
    if (performance.now() < pausedUntil) throw new SignerBusy('The signer did not answer a moment ago.');
  };

  /** @throws SignerBusy when its turn does not come in time */
  return async function enqueue(send: () => Promise<string>): Promise<string> {
    checkPause();
    const begun = performance.now();
    return limit(async () => {
      checkPause();
      if (performance.now() - begun > ANSWER_TIMEOUT_MS) throw new SignerBusy('Too many wait for the signer.');
      return send().catch((error: unknown) => {
        pausedUntil = performance.now() + RETRY_INTERVAL_MS;
        throw error;
      });
    });
  };
}

/** Sends one line, and reads one. */
function sendRequest(path: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    const give = (finish: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      finish();
    };
    const fail = (why: string) => give(() => reject(new SignerUnavailable(`The signer ${why} (SIGNER_SOCKET).`)));
    const timer = setTimeout(() => fail('does not answer'), ANSWER_TIMEOUT_MS);

    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
      if (answer.includes('\n')) give(() => resolve(answer));
      else if (answer.length > MAX_FRAME_BYTES) fail('says too much');
    });
    socket.on('end', () => fail('hung up'));
    socket.on('error', (error) => fail(`cannot be reached: ${error.message}`));
    socket.write(`${line}\n`);
  });
}

function parseAnswer(line: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(line);
    return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
