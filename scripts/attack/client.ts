import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const TIMEOUT_MS = 30_000;

/** What the server answered, read to its end. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Where it leads, if anywhere. */
  location: string | undefined;
  text: string;
}

/** An answer, and what was asked. */
export interface Exchange extends Answer {
  method: string;
  target: string;
}

export interface RequestInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export type Client = ReturnType<typeof createClient>;

/**
 * Asks one server of this very machine, with exactly the headers given, following nothing.
 * @param onAnswer hears of every answer, whoever asked
 */
export function createClient(baseUrl: string, onAnswer: (exchange: Exchange) => void = () => {}) {
  const agent = new Agent({ keepAlive: true });
  const own = requireLoopback(baseUrl);

  return {
    baseUrl,

    /** @param target a path of the server, or a whole address on it */
    async ask(target: string, { method = 'GET', headers = {}, body }: RequestInit = {}): Promise<Answer> {
      // A path is sent as it was written, odd as it may be.
      const url = target.startsWith('/') ? own : requireLoopback(target);
      const path = target.startsWith('/') ? target : url.pathname + url.search;
      const options = {
        host: '127.0.0.1',
        port: url.port,
        path,
        method,
        agent,
        timeout: TIMEOUT_MS,
        headers: { host: url.host, ...headers },
      };

      const answer = await send(options, body);
      const given = {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        location: answer.headers.location,
        text: await text(answer),
      };
      onAnswer({ method, target, ...given });
      return given;
    },

    /** Sends bytes that no HTTP library would, and gives what came back before the server hung up. */
    async askRaw(bytes: string): Promise<string> {
      const socket = connect({ host: '127.0.0.1', port: Number(own.port) });
      socket.setTimeout(2000, () => socket.destroy());
      socket.on('error', () => {});
      socket.end(bytes);
      let answer = '';
      try {
        for await (const chunk of socket) answer += String(chunk);
      } catch {
        // A connection that is cut is an answer as well.
      }
      for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
        onAnswer({
          method: 'RAW',
          target: bytes.slice(0, 80),
          status: Number(status),
          headers: {},
          location: undefined,
          text: answer,
        });
      return answer;
    },

    close: () => agent.destroy(),
  };
}

async function send(options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  const asked = request(options);
  asked.on('timeout', () => asked.destroy(new Error(`No answer within ${TIMEOUT_MS} ms`)));
  asked.end(body);
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  } catch (error) {
    // The server hung up on a connection that had been idle, just when it was to be used again.
    if (asked.reusedSocket && codeOf(error) === 'ECONNRESET') return send(options, body);
    throw error;
  }
}

/** The name by which Node calls an error of the system, such as ECONNRESET. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** These tools play against their own server only. */
function requireLoopback(address: string): URL {
  const url = new URL(address);
  if (url.protocol === 'http:' && LOOPBACK.includes(url.hostname)) return url;

  throw new Error(`${url.host} is not this machine: attacks are played on loopback only`);
}
