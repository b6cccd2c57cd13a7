import { ProviderError } from './advertiser.ts';

const MAX_REPLY_BYTES = 4096;
const DEFAULT_TIMEOUT_MS = 5000;

/** Errors of a connection that was never made, so that nothing can have been asked. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

export type CallProvider = (url: URL, init?: RequestInit) => Promise<string>;

/**
 * Asks an advertiser and gives its reply as text.
 * No redirect is followed, no long reply is read, and whatever is not a plain 200 in time is a ProviderError.
 */
export function createCallProvider({ timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {}): CallProvider {
  return async (url, init) => {
    try {
      const res = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
      if (res.status !== 200) {
        await res.body?.cancel();
        throw new ProviderError(`${url.host} answered ${res.status}`, { wasSent: true });
      }
      return await readShortText(res, url.host);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw new ProviderError(`${url.host} did not answer`, { wasSent: !neverConnected(error), cause: error });
    }
  };
}

/** Reads a JSON reply of a documented shape. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProviderError('The reply is not JSON', { wasSent: true, cause: error });
  }
}

async function readShortText(res: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;

  const body: AsyncIterable<Uint8Array> | null = res.body;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_REPLY_BYTES) throw new ProviderError(`${host} answered at too great a length`, { wasSent: true });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && NEVER_CONNECTED.includes(String(cause.code));
}
