import type { Request } from 'express';
import { clientAddress } from './client-address.ts';
import { networkOf } from './network-of.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import type { KnownBrowser, VisitorCookie } from './visitor-cookie.ts';

/** Who sends a request: the browser, if it has our cookie, and its network. Nobody logs in. */
export interface ClientIdentity {
  browser: KnownBrowser | undefined;
  /** The HMACs of the network: today's, which is stored, and yesterday's, which is only looked up. */
  networks: readonly [string, string];
}

export type ReadClientIdentity = (req: Request) => ClientIdentity;

/**
 * Makes the function that reads the client identity of a request.
 * @param deps.trustedHops how many of our proxies add to X-Forwarded-For
 */
export function createReadClientIdentity(deps: {
  cookie: VisitorCookie;
  pseudonyms: Pseudonyms;
  trustedHops: number;
  now: () => number;
}): ReadClientIdentity {
  const { cookie, pseudonyms, trustedHops, now } = deps;

  return (req) => ({
    browser: cookie.read(req.headers.cookie, now()),
    networks: pseudonyms.networks(networkOf(clientAddress(req, trustedHops)), now()),
  });
}
