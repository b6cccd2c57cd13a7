import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '#api/foundation/settings/env-checks.ts';
import { isPublicAddress } from './public-address.ts';

/** How long a receiver may take, from the search of its address to the status of its answer. */
const TIMEOUT_MS = 10_000;

/** How long each of two questions to DNS may take. */
const DNS_OPTIONS = { timeout: 1500, tries: 2 };

/** Of the answer only the status counts. A longer body is cut off. */
const MAX_BYTES = 64 * 1024;

/** Whether webhooks may lead to addresses of this machine and of private networks, also by http to this machine. */
export type WebhookAddresses = 'public' | 'any';

/** The code of a try whose address is not a public one, and what to do about it. */
export const NOT_PUBLIC_CODE = 'ENOTPUBLIC';
export const NOT_PUBLIC_ERROR = 'It leads to this machine, or to a private network, which needs WEBHOOK_ADDRESSES=any';

export type PostOutcome = { status: number } | { code: string };

export type PostWebhook = (url: string, headers: Record<string, string>, body: string) => Promise<PostOutcome>;

/**
 * Makes the function that hands a message to its receiver. It follows no redirect, and never throws.
 * @param addresses which addresses a host may have. What its name leads to is looked at when it is connected
 */
export function createPostWebhook(
  addresses: WebhookAddresses,
  { timeoutMs = TIMEOUT_MS, resolver = new Resolver(DNS_OPTIONS) } = {},
): PostWebhook {
  const lookUpPublic = createLookUpPublic(resolver);

  return async (url, headers, body) => {
    const problem = findUrlProblem(url, addresses);
    if (problem !== undefined) return { code: NOT_PUBLIC_CODE };
    try {
      return { status: await post(new URL(url), headers, body) };
    } catch (error) {
      return { code: codeOf(error) };
    }
  };

  function post(url: URL, headers: Record<string, string>, body: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = url.protocol === 'http:' ? requestHttp : requestHttps;
      request(
        url,
        {
          method: 'POST',
          // A connection of its own: one that is kept may have been closed meanwhile.
          agent: false,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'webhooks/1',
            ...headers,
          },
          lookup: addresses === 'public' ? lookUpPublic : undefined,
          signal: AbortSignal.timeout(timeoutMs),
        },
        (answer) => {
          let bytes = 0;
          answer
            .on('data', (chunk: Buffer) => void ((bytes += chunk.length) > MAX_BYTES && answer.destroy()))
            .on('error', () => undefined);
          resolve(answer.statusCode ?? 0);
        },
      )
        .on('error', reject)
        // An answer that is none, such as 101, closes the connection without a word.
        .on('close', () => reject(new Error('closed without an answer')))
        .end(body);
    });
  }
}

/** Finds what is wrong with the address of a webhook, a sentence without a full stop; undefined when it may be used. */
export function findUrlProblem(text: string, addresses: WebhookAddresses): string | undefined {
  if (!URL.canParse(text)) return 'It is no address such as https://hooks.example/keys';

  const { protocol, hostname, username, password, hash } = new URL(text);
  const address = hostname.replaceAll(/[[\]]/g, '');
  const isOwn = isLoopback(hostname);
  // A name is looked up when it is connected, and for an address in numbers nothing is looked up.
  if (addresses === 'public' && (isOwn || (isIP(address) !== 0 && !isPublicAddress(address)))) return NOT_PUBLIC_ERROR;
  if (protocol !== 'https:' && !(protocol === 'http:' && isOwn)) return 'It has to begin with https://';
  if (username !== '' || password !== '') return 'It has no name and no password in it';
  if (hash !== '' || text.includes('#')) return 'It has no # in it';
  return undefined;
}

/**
 * Makes the function that looks a name up, and gives only addresses of the public internet to connect to. It asks DNS
 * itself: the system's way would occupy threads of the process for as long as a name server hangs.
 */
export function createLookUpPublic(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): LookupFunction {
  async function find(hostname: string): Promise<LookupAddress[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;

    const found = [...listAddresses(four, 4), ...listAddresses(six, 6)];
    const open = found.filter(({ address }) => isPublicAddress(address));
    if (open.length === 0) throw new NotPublicError();
    return open;
  }

  return (hostname, { all }, callback) => {
    find(hostname).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
      (error: unknown) => callback(error as Error, []),
    );
  };
}

function listAddresses(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

class NotPublicError extends Error {
  readonly code = NOT_PUBLIC_CODE;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'ETIMEDOUT';
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  if (first !== undefined) return codeOf(first);
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
