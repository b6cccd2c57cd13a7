import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';

/**
 * The visitor's address. Of the addresses that a request claims, only as many are believed as there are
 * proxies of ours in front (threat row 33); Express counts them the same way.
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  return proxyAddress(req, (_address, hop) => hop < trustedHops);
}
