import { once } from 'node:events';
import type { Server } from 'node:http';
import { EnvError } from './env.ts';

/**
 * Makes the server listen.
 * @throws EnvError with one sentence that names HOST or PORT
 */
export async function listen(server: Server, { HOST, PORT }: { HOST: string; PORT: number }): Promise<void> {
  server.listen(PORT, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    const problem = describe(error instanceof Error && 'code' in error ? error.code : undefined, HOST, String(PORT));
    throw problem === undefined ? error : new EnvError(problem, { cause: error });
  }
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

/** The host to connect to: "every address" is not one. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
