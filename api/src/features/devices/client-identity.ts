import type { Request } from 'express';
import { clientAddress } from '#api/http/client-address.ts';
import { networkOf } from '#api/http/network-of.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import type { KnownBrowser, VisitorCookie } from './visitor-cookie.ts';

/** Who sends a request, as far as that can be known of somebody who never logs in. */
export interface ClientIdentity {
  browser: KnownBrowser | undefined;
  /** The network's HMAC of today, under which it is stored, then the one of yesterday, under which it may be found. */
  networks: readonly [string, string];
}

export type ReadClientIdentity = (req: Request) => ClientIdentity;

/**
 * @param trustedHops how many proxies of ours add to X-Forwarded-For
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
