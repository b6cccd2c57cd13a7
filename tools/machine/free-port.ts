import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** An unused port of this machine, which the system chooses: two that ask at once do not get the same one. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Has a server listen on a port of this machine alone. Gives the port, which the system chooses. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
