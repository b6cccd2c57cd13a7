import { request } from 'undici';

const MAX_REPLY_BYTES = 4096;
const DEFAULT_TIMEOUT_MS = 5000;

/** Errors of a connection that was never made, so that nothing can have been asked. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** A provider could not be reached, was asked and gave no whole answer, or gave one that its documentation does not know. */
export type ProviderFailure = 'unreached' | 'unanswered' | 'unfit';

/** What kept somebody whose service we use from answering. Never the visitor's fault. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(message: string, { failure, ...options }: ErrorOptions & { failure: ProviderFailure }) {
    super(message, options);
    this.failure = failure;
  }

  /** Whether the request may have arrived. */
  get wasSent(): boolean {
    return this.failure !== 'unreached';
  }
}

export interface ProviderRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Asking may use up what is asked about, so nothing that may have arrived is sent again. */
  spends?: boolean;
}

export type CallProvider = (url: URL, request?: ProviderRequest) => Promise<string>;

/**
 * Asks a provider and gives its reply as text, which is strict UTF-8 of at most 4 KB.
 * No redirect is followed, and whatever is not a plain 200 in time is a ProviderError.
 * Where nobody answered it asks once more.
 */
export function createCallProvider({ timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {}): CallProvider {
  return async (url, { spends = false, ...init } = {}) => {
    try {
      return await send(url, init, timeoutMs);
    } catch (error) {
      if (!maySendAgain(error, spends)) throw error;
      return send(url, init, timeoutMs);
    }
  };
}

/** Reads a JSON reply of a documented shape. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProviderError('The reply is not JSON', { failure: 'unfit', cause: error });
  }
}

async function send(url: URL, init: Omit<ProviderRequest, 'spends'>, timeoutMs: number): Promise<string> {
  try {
    const { statusCode, body } = await request(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (statusCode !== 200) {
      // Nobody reads on; that this breaks it off is no news.
      body.on('error', () => undefined).destroy();
      throw new ProviderError(`${url.host} answered ${statusCode}`, { failure: 'unfit' });
    }
    return await readShortText(body, url.host);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`${url.host} did not answer`, {
      failure: neverConnected(error) ? 'unreached' : 'unanswered',
      cause: error,
    });
  }
}

function maySendAgain(error: unknown, spends: boolean): boolean {
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

/** A byte order mark is not taken off either: what is compared letter for letter is compared whole. */
function decodeStrictly(bytes: Uint8Array, host: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ProviderError(`${host} answered in no known letters`, { failure: 'unfit', cause: error });
  }
}

function neverConnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NEVER_CONNECTED.includes(String(error.code));
}
