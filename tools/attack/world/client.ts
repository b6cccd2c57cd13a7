import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const TIMEOUT_MS = 30_000;
/** The errors of a connection that the other side has closed, while reading and while writing. */
const CLOSED_CODES = ['ECONNRESET', 'EPIPE'];

/** An answer of the server, with its whole body. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  location: string | undefined;
  text: string;
}

export interface RequestInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * An HTTP client for one server on this machine. It sends exactly the given headers and follows no redirects.
 * @param onAnswer called with every answer
 * @throws Error when the address is not on loopback
 */
export function createClient(
  baseUrl: string,
  onAnswer: (method: string, target: string, answer: Answer) => void = () => {},
) {
  const agent = new Agent({ keepAlive: true });
  const own = requireLoopback(baseUrl);

  return {
    baseUrl,

    /**
     * Sends a request.
     * @param target a path or a whole address of the server
     */
    async ask(target: string, { method = 'GET', headers = {}, body }: RequestInit = {}): Promise<Answer> {
      // A path is sent unchanged, even when it is malformed.
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
      onAnswer(method, target, given);
      return given;
    },

    close: () => agent.destroy(),
  };
}

async function send(options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  const asked = request(options);
  asked.on('timeout', () => asked.destroy(new Error(`No answer within ${TIMEOUT_MS} ms`)));
  // A connection that is lost after the answer has begun fails the reading of the answer, and the request once more.
  asked.on('error', () => {});
  asked.end(body);
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  } catch (error) {
    // The server closed an idle connection at the moment when it was used again.
    if (asked.reusedSocket && CLOSED_CODES.includes(codeOf(error) ?? '')) return send(options, body);
    throw error;
  }
}

/** Node's code of a system error, such as `ECONNRESET`. Undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Refuses addresses that are not on loopback, because these tools may attack only their own server. */
function requireLoopback(address: string): URL {
  const url = new URL(address);
  if (url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname)) return url;

  throw new Error(`${url.host} is not this machine: attacks are played on loopback only`);
}
