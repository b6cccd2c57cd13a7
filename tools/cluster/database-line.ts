import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../machine/free-port.ts';

/** How a line breaks: `refused`, every connection ends and new ones are refused; `silent`, nothing comes through. */
export type ConnectionFault = 'refused' | 'silent';

export interface Line {
  break: (how: ConnectionFault) => Promise<void>;
  /** What was on its way when the line fell silent still arrives, as in a real network. */
  mend: () => Promise<void>;
}

/**
 * Leads to several servers, and can break while all of them are well.
 * @param targets their addresses, as `127.0.0.1:5432`
 */
export async function openLines(targets: readonly string[]) {
  const lines = await Promise.all(targets.map(openLine));
  return { addresses: lines.map(({ address }) => address), ...joinLines(lines) };
}

/** Lines that break at once. */
export function joinLines(lines: readonly Line[]) {
  return {
    break: async (how: ConnectionFault): Promise<void> =>
      void (await Promise.all(lines.map((line) => line.break(how)))),
    mend: async (): Promise<void> => void (await Promise.all(lines.map((line) => line.mend()))),
    close: async (): Promise<void> => void (await Promise.all(lines.map((line) => line.break('refused')))),
  };
}

/**
 * Opens a port of this machine that leads to a server and can break.
 * @param to the address of the server, as `127.0.0.1:5432`
 */
export async function openLine(to: string) {
  const [host = '', port = ''] = to.split(':');
  const sockets = new Set<Socket>();
  let isSilent = false;

  const lead = (from: Socket, into: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => into.write(bytes));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      into.destroy();
    });
    if (isSilent) from.pause();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    lead(near, far);
    lead(far, near);
  });
  const own = await listen(server);

  return {
    address: `127.0.0.1:${own}`,
    async break(how: ConnectionFault): Promise<void> {
      isSilent = how === 'silent';
      if (isSilent) for (const socket of sockets) socket.pause();
      else if (server.listening) {
        const closed = once(server.close(), 'close');
        for (const socket of sockets) socket.destroy();
        await closed;
      }
    },
    async mend(): Promise<void> {
      isSilent = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await once(server.listen(own, '127.0.0.1'), 'listening');
    },
  };
}
