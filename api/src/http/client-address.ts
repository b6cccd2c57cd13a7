import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';

/** An address as some proxies write it: with the port of the connection, or in brackets. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[(.+)\])(?::\d+)?$/;

/**
 * The visitor's address. Of the addresses that a request claims, only as many are believed as there are
 * proxies of ours in front (threat 33); Express counts them the same way. A port is no part of it: each
 * connection has another.
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  const claimed = proxyAddress(req, (_address, hop) => hop < trustedHops);
  const [, ipv4, ipv6] = WITH_PORT.exec(claimed) ?? [];
  return ipv4 ?? ipv6 ?? claimed;
}
