import type { Request } from 'express';
import { clientAddress } from '#api/http/client-address.ts';
import { networkOf } from '#api/http/network-of.ts';
import type { Identity } from './identity.ts';
import type { KnownBrowser, VisitorCookie } from './visitor-cookie.ts';

/** Who sends a request, as far as that can be known of somebody who never logs in. */
export interface Requester {
  browser: KnownBrowser | undefined;
  /** The network's HMAC of today, under which it is stored, then the one of yesterday, under which it may be found. */
  networks: readonly [string, string];
}

export type ReadRequester = (req: Request) => Requester;

/**
 * @param trustedHops how many proxies of ours add to X-Forwarded-For
 */
export function createReadRequester(deps: {
  cookie: VisitorCookie;
  identity: Identity;
  trustedHops: number;
  now: () => number;
}): ReadRequester {
  const { cookie, identity, trustedHops, now } = deps;

  return (req) => ({
    browser: cookie.read(req.headers.cookie, now()),
    networks: identity.networks(networkOf(clientAddress(req, trustedHops)), now()),
  });
}
