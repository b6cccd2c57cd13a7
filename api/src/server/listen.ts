import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, Server as NetServer, type ListenOptions } from 'node:net';
import { EnvError } from '#api/foundation/settings/env.ts';

/**
 * How many new connections may wait to be taken. Node's 511 are full in a second or two of a crowd, and a browser whose
 * first packet is dropped tries again after 1, 3 and 7 seconds. The system may allow fewer (`net.core.somaxconn`).
 */
const BACKLOG_SIZE = 4096;

/** How many listeners a server has. Node takes one new connection for each listener in a turn of the event loop. */
const LISTENER_COUNT = 8;

/** Where several listeners can have one port (SO_REUSEPORT with connections spread among them). */
const CAN_SHARE_PORT = process.platform === 'linux';

interface ListenAddress {
  HOST: string;
  PORT: number;
}

/** Makes a server listen; the EnvError names HOST or PORT, after the `prefix` of its settings. */
export async function listen(
  server: NetServer,
  { HOST, PORT }: ListenAddress,
  prefix = '',
  options: ListenOptions = {},
): Promise<void> {
  server.listen({ ...options, port: PORT, host: HOST, backlog: BACKLOG_SIZE });
  try {
    await once(server, 'listening');
  } catch (error) {
    const problem = describeListenError(
      error instanceof Error && 'code' in error ? error.code : undefined,
      HOST,
      String(PORT),
    );
    throw problem === undefined ? error : new EnvError(`${prefix}${problem}`, { cause: error });
  }
}

/**
 * Makes a server listen with several listeners, so that a crowd is taken several connections in each turn of the event
 * loop: one whose turns take 8 ms would else take 125 in a second, and the others would wait in the queue of the system.
 * Where a port cannot be shared, the server has its own listener alone.
 * @returns the other listeners; they are to be closed together with the server
 * @throws EnvError with one sentence that names HOST or PORT
 */
export async function listenReusePort(server: Server, place: ListenAddress): Promise<NetServer[]> {
  if (!CAN_SHARE_PORT) {
    await listen(server, place);
    return [];
  }

  // A listener that shares no port finds one taken that another server shares.
  if (place.PORT !== 0) await probePort(place);
  await listen(server, place, '', { reusePort: true });
  const shared = { HOST: place.HOST, PORT: portOf(server) };
  return Promise.all(
    Array.from({ length: LISTENER_COUNT - 1 }, async () => {
      // As an HTTP server makes its own.
      const listener = new NetServer({ allowHalfOpen: true, noDelay: true });
      listener.on('connection', (socket) => void server.emit('connection', socket));
      await listen(listener, shared, '', { reusePort: true });
      return listener;
    }),
  );
}

/** @throws EnvError when the port cannot be had for one listener alone */
async function probePort(place: ListenAddress): Promise<void> {
  const listener = createServer();
  await listen(listener, place);
  listener.close();
  await once(listener, 'close');
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');

  return address.port;
}

/** The host to connect to: "every address" is not one. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function describeListenError(code: unknown, host: string, port: string): string | undefined {
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
      return `HOST: no address is known of ${host}`;
    default:
      return undefined;
  }
}
