import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What leads from a program to a server, and can break: `cut`, nothing connects; `silent`, nothing comes through. */
export interface Cable {
  port: number;
  break: (how: 'cut' | 'silent') => Promise<void>;
  mend: () => Promise<void>;
}

/** Opens a port that leads to a server, until the test is over. */
export async function openCable(host: string, port: number): Promise<Cable> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(socket);
      socket.on('data', (chunk) => isSilent || other.write(chunk)).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;

  async function cut(): Promise<void> {
    const closed = server.listening ? once(server.close(), 'close') : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  onTestFinished(cut);

  return {
    port: own,
    async break(how) {
      if (how === 'cut') await cut();
      isSilent = how === 'silent';
    },
    async mend() {
      isSilent = false;
      if (!server.listening) await once(server.listen(own, '127.0.0.1'), 'listening');
    },
  };
}
