import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';

/** An address as some proxies write it: with a port, or in brackets. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[(.+)\])(?::\d+)?$/;

/**
 * Finds the visitor's address. Of the addresses in X-Forwarded-For, only those that our own proxies added are believed
 * (threat 33); Express counts them in the same way. The port is removed, because each connection has another one.
 * @param trustedHops how many of our proxies are in front of the server
 * @returns '' when the connection is gone already
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  // Undefined, whatever its type says, when the connection is gone.
  const claimed = (proxyAddress(req, (_address, hop) => hop < trustedHops) as string | undefined) ?? '';
  const [, ipv4, ipv6] = WITH_PORT.exec(claimed) ?? [];
  return ipv4 ?? ipv6 ?? claimed;
}
