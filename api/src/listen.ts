import { once } from 'node:events';
import type { Server } from 'node:http';
import { EnvError } from './env.ts';

/**
 * How many new connections may wait to be taken. Node's 511 are full in a second or two of a crowd, and a browser whose
 * first packet is dropped tries again after 1, 3 and 7 seconds. The system may allow fewer (`net.core.somaxconn`).
 */
export const BACKLOG = 4096;

/** Where a server listens. */
interface Place {
  HOST: string;
  PORT: number;
}

/**
 * Makes a server listen.
 * @param prefix what the names of its two settings begin with
 * @throws EnvError with one sentence that names HOST or PORT
 */
export async function listen(server: Server, { HOST, PORT }: Place, prefix = ''): Promise<void> {
  server.listen({ port: PORT, host: HOST, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    const problem = describe(error instanceof Error && 'code' in error ? error.code : undefined, HOST, String(PORT));
    throw problem === undefined ? error : new EnvError(`${prefix}${problem}`, { cause: error });
  }
}

/** The port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');

  return address.port;
}

/** The host to connect to: "every address" is not one. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function describe(code: unknown, host: string, port: string): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: ${port} is taken by another program`;
    case 'EACCES':
      return `PORT: ${port} may not be used by this user`;
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return `HOST: ${host} is not an address of this machine`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: nobody knows an address of ${host}`;
    default:
      return undefined;
  }
}
