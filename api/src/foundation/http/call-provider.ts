import { setTimeout as wait } from 'node:timers/promises';
import { getGlobalDispatcher, interceptors, request } from 'undici';

const MAX_REPLY_BYTES = 4096;
const DECOMPRESSING_AGENT = getGlobalDispatcher().compose(interceptors.decompress());
const DEFAULT_TIMEOUT_MS = 5000;

/** Too many requests, a gateway without its server, and too much to do. */
const RETRYABLE_STATUSES = [429, 502, 503];
const BACKOFF_MS = [500, 1500];

/** Errors of a connection that was never made: the request cannot have arrived. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * `unreached`: no connection was made. `unanswered`: the request may have arrived, but no complete answer came.
 * `declined`: it says that it has not processed the request. `unfit`: the answer is not as documented.
 */
export type ProviderFailure = 'unreached' | 'unanswered' | 'declined' | 'unfit';

/** A failure of a service that we use (an advertiser, Google). It is never the visitor's fault. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;
  /** In how many milliseconds the call may be made again, where the provider says so. */
  readonly waitMs: number | undefined;

  constructor(
    message: string,
    { failure, waitMs, ...options }: ErrorOptions & { failure: ProviderFailure; waitMs?: number },
  ) {
    super(message, options);
    this.failure = failure;
    this.waitMs = waitMs;
  }

  get wasSent(): boolean {
    return this.failure !== 'unreached';
  }
}

export interface ProviderRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** The request may use up the proof that it is about, so it is not repeated once it may have arrived. */
  spends?: boolean;
  /** The reply proves nothing, so any 2xx is read, and what is compressed unasked. */
  isLenient?: boolean;
}

export type CallProvider = (url: URL, request?: ProviderRequest) => Promise<string>;

/**
 * Makes the function that calls a provider. It returns the reply as text: strict UTF-8 of at most 4 KB. It follows no
 * redirects. When there was no answer, it tries once more.
 * @throws ProviderError when the answer is not a 200 (a 2xx, for a lenient request) within the time limit
 */
export function createCallProvider({ timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {}): CallProvider {
  return async (url, { spends = false, ...init } = {}) => {
    try {
      return await send(url, init, timeoutMs);
    } catch (error) {
      if (!isRetryable(error, spends)) throw error;
      return send(url, init, timeoutMs);
    }
  };
}

/**
 * Asks a provider again, twice at most, while it says that it has not processed the question.
 * @param ask is told whether it asks again. A gateway may have lost the answer to a question that was processed, so what
 *   is used up once may then be refused
 */
export async function retryWhileDeclined<Answer>(
  ask: (isAgain: boolean) => Promise<Answer>,
  tries = 0,
): Promise<Answer> {
  try {
    return await ask(tries > 0);
  } catch (error) {
    const pauseMs = BACKOFF_MS[tries];
    if (!(error instanceof ProviderError) || error.failure !== 'declined' || pauseMs === undefined) throw error;

    await wait(pauseMs);
    return retryWhileDeclined(ask, tries + 1);
  }
}

/** Spaces around a reply, and a byte order mark, mean nothing. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch (error) {
    throw new ProviderError('The reply is not JSON', { failure: 'unfit', cause: error });
  }
}

async function send(
  url: URL,
  { isLenient = false, ...init }: Omit<ProviderRequest, 'spends'>,
  timeoutMs: number,
): Promise<string> {
  // `AbortSignal.timeout` would go off for each call long after its answer, and make an error with a stack each time.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    const options = { ...init, signal: limit.signal, ...(isLenient && { dispatcher: DECOMPRESSING_AGENT }) };
    const { statusCode, body } = await request(url, options);
    if (isLenient ? statusCode < 200 || statusCode > 299 : statusCode !== 200) {
      // The body is not read. Its error when it is destroyed is expected.
      body.on('error', () => undefined).destroy();
      throw new ProviderError(`${url.host} answered ${statusCode}`, {
        failure: RETRYABLE_STATUSES.includes(statusCode) ? 'declined' : 'unfit',
      });
    }
    return await readShortText(body, url.host);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`${url.host} did not answer`, {
      failure: isConnectionFailure(error) ? 'unreached' : 'unanswered',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function isRetryable(error: unknown, spends: boolean): boolean {
  if (!(error instanceof ProviderError)) return false;

  return error.failure === 'unreached' || (error.failure === 'unanswered' && !spends);
}

async function readShortText(body: AsyncIterable<Uint8Array>, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;

  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_REPLY_BYTES)
      throw new ProviderError(`${host} answered at too great a length`, { failure: 'unfit' });
    chunks.push(chunk);
  }
  return decodeStrictly(Buffer.concat(chunks), host);
}

const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes strict UTF-8. A byte order mark stays, because replies are compared letter by letter. */
function decodeStrictly(bytes: Uint8Array, host: string): string {
  try {
    return STRICT_UTF_8.decode(bytes);
  } catch (error) {
    throw new ProviderError(`${host} answered in no known letters`, { failure: 'unfit', cause: error });
  }
}

export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;

  return ('code' in error && NEVER_CONNECTED.includes(String(error.code))) || isConnectionFailure(error.cause);
}
